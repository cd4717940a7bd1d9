"""ids.json: every entry of the attack catalogue, and where it is tested.

A line is an entry's number and what it is about. Behind `>` stand entries whose vectors and tests
are its own too; behind `~` what it waits for; behind `!` where we decide otherwise, and by what.
"""

import json

REDIRECT = "the HTTP-Redirect binding"
SERVER = "an HTTP part of the receiver's own"
WAITS = {"R": REDIRECT, "S": SERVER}

ENTRIES = {
    "XSW": """
Response moved into its own Signature
Response moved beside its Signature
a forged assertion before or behind the genuine one
the genuine assertion nested in a forged one
the Signature in the forged assertion, the genuine one elsewhere in the Response
the genuine assertion inside the forged one's Signature
a forged assertion in Extensions
the genuine assertion in an Object of the forged one's Signature
forged with the Signature, genuine as a neighbour
the genuine assertion in an element that nobody knows
a whole genuine Response in StatusDetail
another signed message lends its signature
parts of a signature smuggled in elsewhere
a second Signature with the same value
payload inside a genuine Signature ! no vector is let through: content of KeyInfo that is no assertion is allowed by XML Signature 4.5
the issuer signed another element
a signature from another type of message
the Signature moved inside the document ! moved to the end of what it signs it is still its child, and changes no digested byte
the Response carries the assertion's signature
the assertion carries a signature over the Response
two genuine assertions
a genuine assertion and an unsigned copy
a plain and an encrypted assertion
a decoy put into Advice
a copy without Signature in Extensions, the Signature on a forgery
another document element ! an Assertion alone is a token of WS-Federation (the command's contract takes it); that an endpoint wants a Response is the endpoint's rule
attributes outside of what is signed ! in StatusDetail, as in Extensions, anything may stand (SAML Core 3.2.2.4); neither is read
enveloping and detached signatures
two Signatures in one element
one of two signatures does not hold
one identifier on two levels
names that are alike in other namespaces
SAML's children in the wrong number or order
the unsigned assertion of a signed Response in a new one
the wrong party signed a nested part
unsigned values around a signed assertion
""",
    "REF": """
an empty URI
no URI
almost a fragment
XPointer and other schemes
addresses of something else
escaped fragments
text that an XPath would mistake
a reference to nothing
an identifier twice
identifiers under other attribute names
xml:id as a decoy
an ID attribute in a namespace
an ID attribute with an undeclared prefix
the same identifier through character references
identifiers that are nearly equal
ID types that a DTD declares
entities in identifiers
entities in the parts of a signature
no Reference
several References
a Manifest in place of an element
a reference to a part of the Signature
no identifier on what is signed
identifiers too long, or with odd characters ! quotes, % and digits in front are accepted and compared as bytes (decision on OK-32); control characters and white space are not
""",
    "DSIG": """
signatures taken out
signatures without content
a Signature in a namespace that is nearly right
two SignedInfo
SignedInfo in a deeper place
something else inside base64 text
parts twice, missing, in another order, with more attributes
SHA-1 and what is older
algorithm names that are nearly right
unknown and null algorithms
the public key as an HMAC secret
HMACOutputLength
cut and padded values
lenient base64
answers of the library that are neither yes nor no
keys that the message brings along > KEY-1 KEY-2 KEY-3 KEY-4 KEY-5 KEY-6
XSLT
XPath and other transforms
many and repeated transforms
no enveloped-signature transform
transforms with unexpected content
an inner signature changed under an outer one
canonicalization that is none
canonicalization with comments
unsigned parts of a Signature
a result that nobody looked at
trust without keys
whose signature is required ! there is one policy: a signature must cover the assertion, and every signature that is there must hold
verification remembered by identifier
an assertion as text
very many signatures > DOS-13
encodings of ECDSA values > CRY-6 CRY-7
""",
    "C14N": """
a relative namespace and the digest of nothing
a namespace that is no URI
SignedInfo that cannot be canonicalized
output that breaks off
entity references
a digest of nothing by selection
prefixes that only content uses
prefix lists
what inclusive canonicalization inherits
attributes of elements without content
processing instructions are content
two attributes with one expanded name
line ends and white space in attributes
default attributes
""",
    "CMT": """
a comment that divides a name
comments in every place
CDATA that divides a name
character references
processing instructions in values
child elements in values
values that are XML
empty, blank and nil values
white space around values
names that look alike
NUL and control characters
attributes named like facts of the token
which name of an attribute counts
qualifiers of a name
""",
    "XML": """
a DOCTYPE
an internal entity
an external entity
parameter entities and external subsets
entities of entities
one entity very often
default attributes
a default namespace by ATTLIST
quotes in a DOCTYPE that parsers read differently
a DOCTYPE by itself is enough
the word DOCTYPE where it is harmless
prefixes without a declaration
an attribute twice
names with too many colons
declarations outside of a DOCTYPE
reserved prefixes
namespaces with another spelling
relative and odd namespace names
several document elements
bytes behind a NUL
other encodings
byte order marks
other versions of XML
bytes that are no UTF-8
control characters
something before the document
processing instructions
XInclude
schemaLocation
documents that are broken
other generations of SAML
default namespaces in the wrong place
""",
    "DOS": """
more bytes than allowed
elements too deep
very many attributes
very many namespace declarations
nested declarations under inclusive canonicalization
long prefix lists and many elements
wide documents
long names, texts and comments
entities > XML-5 XML-6
DEFLATE bombs
JWE bombs
PBES2 counts
very many signatures and references
very many certificates and encrypted keys ! certificates in KeyInfo are never decoded, so they cost their bytes only; encrypted keys are at most 8
expensive keys in a message
text that costs a regular expression much
large JSON
large Simple Web Tokens
base64 with much white space
floods of key identifiers
floods of requests
floods of a replay store
what errors repeat of a token
slow and endless answers
hash collisions
small stacks
readers with an answer for everything
""",
    "KEY": """
signed by an attacker who shows a certificate
a certificate that looks alike
a bare key in the message
hints that point elsewhere
keys to be fetched
several certificates
broken KeyInfo
expired certificates around pinned keys
trust in an authority > KEY-1 KEY-2 ! no trust in certificate authorities is offered; keys are pinned
keys of another role
a key that was removed
a stolen key of the issuer > KEY-11 TIME-11
weak keys in the configuration
explicit curve parameters and bad points
thumbprints
a key and an algorithm of different types
several keys of a rollover
one key under two issuers
trust that is empty > DSIG-27
""",
    "CRY": """
RSA values of another length or range
forged PKCS #1 v1.5 padding
PSS and PKCS #1 v1.5 mixed up
another hash than was named
ECDSA with zeros and out of range
ECDSA values in DER and of other widths
ECDSA values with zeros in front
the other s of an ECDSA value
a curve and a hash that do not match ! XML Signature binds no curve to a digest (RFC 9231, 2.3.6), JWS does (RFC 7518, 3.4)
comparison in constant time
MACs of other lengths
secrets that are weak ! hmac-file: takes raw bytes or base64 text by the command's contract; the library takes bytes
identifiers from the system's random source
failures that leave errors behind
""",
    "SEM": """
a status that is no success
success without an assertion
a Destination that is not ours
a Recipient that is not ours
an audience that is not ours
an issuer that is another
another request than ours
another issuer than was asked
a response in another browser
confirmations that are none
confirmation data that does not fit ! Address is not compared: it is what the issuer saw, and checking it is the receiver's choice (SAML Profiles 4.1.4.3)
conditions that are unknown or missing
authentication that is missing, in the future, or over ! what a request asked for (age, ForceAuthn, context) is compared by who sent it; the facts and claims carry it
authorization decisions
another kind of message
an assertion for somebody else
replay
when a request is used up
logout ~ single logout
scoped attributes ~ a check of attributes against the scopes of metadata
who may speak for an identifier
issuers of many tenants
odd names of issuers
""",
    "TIME": """
the boundaries of a window
windows without an end
the earliest end counts
windows that are reversed or empty
times that are none
times that are
times without a zone
24:00:00
long fractions at the boundary
issued in the future ! no maximum age of a message: NotOnOrAfter is the issuer's word on it (SAML Core 2.5.1)
very long windows ! no maximum lifetime: a caller who wants one compares the facts
a skew that is none
numeric dates
not a number
a time twice
the envelope's lifetime
one clock, read once
""",
    "BIND": """
lenient decoding of a form field
parameters twice
one parameter signed, another read ~ R
signed octets encoded again ~ R
RelayState of a signed query ~ R
SigAlg of a signed query ~ R
a missing signature of a query ~ R
a Response by redirect ~ R
forms of DEFLATE
parsing of queries
the content of RelayState
markup in an auto-post form ~ a binding whose requests are posted
artifacts ~ the artifact binding
SOAP envelopes
content types and methods
POST-SimpleSign ~ the SimpleSign binding
escapes decoded twice
""",
    "ENC": """
encrypted and not signed
ciphertext swapped under a signature
wrapping with ciphertext
identifiers inside and outside
odd plaintexts
the padding oracle of CBC
the oracle of RSA 1.5
algorithms relabelled
the shape of GCM
the padding of CBC
weak and unknown algorithms
content keys of another length
where encrypted keys stand
CipherReference
what is encrypted, and where
encrypted again by somebody else
key wrap
key agreement
parameters of OAEP
old and wrong keys
the order of work
""",
    "S11": """
wrapping in SAML 1.1
identifiers under other names
unsigned assertions among signed ones
confirmation methods
audiences
statements about different subjects
versions and times
the status as a qualified name
Recipient and InResponseTo of a Response
names and namespaces of attributes
""",
    "WSF": """
collections of several responses
several tokens in one response
wrapping across the parts of a response
unsigned fields of a response
proof keys
binary tokens of another type
a token as text
namespaces that are nearly right
requests in place of responses
wctx
sign-out cleanup
tokens that must be bounded
the active protocol ~ the WS-Trust client
encrypted tokens
issuing for unknown realms ~ S
""",
    "SWT": """
no MAC
something behind the MAC
two MACs
a MAC that is not last
other names of the MAC
reserved names twice
other names twice
reserved names in another case
reserved names with escapes
pairs that would read alike if joined again
the same pairs in other bytes
broken escapes
bytes that are no UTF-8
NUL and control characters
empty pieces
= inside values
spellings of the MAC
MACs of other lengths
the key of another issuer
issuers and audiences that are nearly right
forms of ExpiresOn
the boundary of ExpiresOn
size and count ! the limits are 1 MiB and 1,000 pairs (decision on limits), each tested on both sides
keys in another form
what is around a token
tokens of two formats
other separators
replay
timing > CRY-10
combining characters behind a separator
""",
    "JWT": """
alg none
no signature
the public key as an HMAC secret
spellings of alg
algorithms that the key rules out
keys in the header
kid
crit
b64
JSON serialization
the number of parts
strict base64url
encrypted and not signed
encrypted where signed is expected
algorithms of JWE
nesting
names twice
JSON that is none
claims of the wrong type
audiences
issuers
the purpose of a token
nonce and hashes ! the nonce is compared; at_hash and c_hash bind an access token and a code that no flow here takes beside a token, and auth_time and acr come as claims for the caller
times
replay
ECDSA
weak keys
key sets
fetching of key sets
detached payloads
reading before verifying
a header that claims to be signed
more bytes than allowed
tokens of two formats
""",
    "META": """
unsigned, and signed by somebody else
wrapping in metadata
an entity twice
validity and cache duration
a reference to the whole document
what a key is for
keys of another role
WS-Federation roles
addresses
scopes
entity attributes
XML attacks
fetching
older metadata served again
the entity that is described
certificates
display data
flags that weaken
locations that are never fetched
""",
    "RP": """
tokens in addresses
credentials across redirects
flags of cookies
responses without state
redirects after sign-in
addresses inside the network
TLS without checks
what pages repeat
secrets in logs
session fixation
mixed-up issuers
the code flow
logout requests
line ends in header fields
auto-post forms ~ a binding whose requests are posted
the Host header
the WRAP client
answers of a token endpoint
caching of answers
accounts linked by e-mail
one state used twice at once
verified claims never change
identities from headers
""",
    "SW": """
equality of strings
parsing by characters > SWT-30
case and trimming > CMT-9 CMT-10
parsing of numbers > SWT-21 TIME-5
arithmetic that traps > DOS-27 TIME-13 SWT-21
parsing of dates > TIME-5 TIME-6
base64 > DSIG-14 SWT-17 JWT-12
UTF-8 > XML-24 SWT-13
JSON > JWT-17 JWT-18
percent-decoding > SWT-12 SWT-14
the first child of an element > CMT-1 CMT-5 CMT-6
attributes without their namespace > REF-12
answers of the parser that look good > XML-12 XML-20 C14N-4
options of the parser
lifetimes across C
a second parser
traps in the sources
empty buffers
recursion > DOS-2 DOS-26
secrets compared with == > CRY-10
answers of OpenSSL > DSIG-15 CRY-5
""",
    "ISS": """
markup in what is written
separators in Simple Web Tokens
names in JSON Web Tokens
queries that are built
the receiver's key as an oracle
identifiers
""",
    "TRUST": """
metadata joins a pinned issuer
two entries of one name
a projection that merges types
empty and odd names
a provider's credential and the wrong service
""",
    "CONT": """
unwrapping weakens nothing
the unsigned satisfies nothing
an expectation without a place
the end of a confirmation that did not hold
an oracle through a second trusted issuer
a prefix of an xsi:type value bound anew
""",
    "OK": """
only the assertion is signed
only the Response is signed
both are signed
encrypted assertions
prefixes of XML Signature
prefixes of SAML
issuers of responses
prefix lists
inclusive canonicalization
KeyInfo of every kind
algorithms that are sound
the status of SAML 1.1
a type prefix that is not rendered
typed values
several statements and values
names of attributes
characters of every kind
several confirmations
a confirmation without data
Advice inside of what is signed
comments
white space between elements
line ends
base64 in lines
one transform only
declarations and marks
the word DOCTYPE in text
extensions
an identifier as a value
conditions that ask nothing
forms of times
shapes of identifiers
base64 in forms
signed queries ~ R
algorithms of encryption
random padding
where encrypted keys stand
responses that report an error
Simple Web Tokens of real issuers
two spellings of a space
metadata of real federations
WS-Trust of both versions
SAML 1.1 of real issuers
members of a JSON Web Token
algorithms of JSON Web Tokens
key sets of real issuers
fractions of seconds
rollover
the same user again
kinds of names
large responses
stylesheets outside
prefixes that only the Response declares
""",
    "CTX": """
a prefix of the plaintext that only an element around the ciphertext declares
a libxml2 that hands names of namespaces over in another form
processor time after a failed AES-CBC decryption
Ed25519 keys of small order
keys and issuers of several options that pool
""",
    "SVC": """
a code of one OpenID provider taken to another: one redirect address for all
a subject or issuer of another configured provider
a parameter of the browser that carries the request
a verifier for a code that was asked for without a challenge
one subject for several persons, or none
a person with the name of a service
a method, path or header that the proxy or the application reads in another way
a store that forgets what was used
clients that let the server wait
freshness and context that are lost or invented on the way
grants, assertions and logout requests that are old or were used
a secret as an operand
""",
    "GATE": """
forwarding headers of a client
spellings of an identity header that fold to one name
identity headers of a client where nothing writes them
a path that gate and application read in two ways
a host in another case, with a port or a final dot
a broad rule in front of a strict one
a header whose value lets anyone through
an error inside that answers as success
content of the application in the answer of a refusal
an entrance without the decision
a return address at another site
an address in an unsolicited answer
an e-mail address with two domains
a session after sign-out
a session identifier that the browser brought
a token or cookie of another place
cookies in pieces
a small message that inflates
input before any sign-in that ends the process
an answer of another provider than was asked
rights that were taken away
credentials in a page, header or log
state that is missing, forged or repeated
identifiers that can be guessed
script in a page of the gate
a bearer token for another audience or issuer, or without an end
spellings of one name compared before they are folded
key identifiers that make the gate fetch again and again
a forged or repeated logout message
""",
}


def text():
    """The file: one entry a line."""
    lines = []
    for family, block in ENTRIES.items():
        for number, line in enumerate(block.strip().splitlines(), 1):
            entry = {"id": f"{family}-{number}"}
            line, _, disagrees = line.partition(" ! ")
            line, _, waits = line.partition(" ~ ")
            line, _, others = line.partition(" > ")
            entry["title"] = line
            if others:
                entry["with"] = others.split()
            if waits:
                entry["waits"] = WAITS.get(waits, waits)
            if disagrees:
                entry["otherwise"] = disagrees
            lines.append(json.dumps(entry, ensure_ascii=True))
    return "[\n" + ",\n".join(lines) + "\n]\n"
