// Nothing to call: the target's constructor does its work.
