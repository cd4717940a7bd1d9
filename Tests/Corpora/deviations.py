"""Where our verdict differs from the source of a case, and why ours is right.

Each case has the codes that are expected of us and the clause. A case that is refused with another
code, or that agrees by now, is reported.
"""

ECDSA_WIDTH = (
    "XML Signature 1.1, 6.4.3: SignatureValue is r and s, each as an octet string as long as the "
    "order of the base point (I2OSP); neither DER nor other widths (CRY-6)")
WHOLE_DOCUMENT = (
    "SAML Core 5.4.2: the one Reference is a same-document reference to the ID attribute of the "
    "element that is signed; URI=\"\" names the document, which the assertion is not (REF-1)")
OPEN_WINDOW = (
    "SAML Core 2.5.1.1: NotBefore and NotOnOrAfter of Conditions are optional; the end comes from "
    "the confirmation (SAML Profiles 4.1.4.2)")
LOGOUT = "logout messages are no tokens: the command's contract lists what it takes"
SIGNED_DESTINATION = (
    "SAML Bindings 3.5.5.2: Destination of a signed message must hold the address that it is "
    "delivered to, and the recipient must compare it (SEM-3)")
ISSUED_LATER = (
    "the clock of the source's test is minutes or days before the token was issued, and its "
    "source looks at Conditions only; an instant ahead of the skew is refused (TIME-10, SEM-13)")
OTHER_QUALIFIER = (
    "SAML Core 2.2.2: SPNameQualifier qualifies the name by a service provider, and it is not us; "
    "refused in every format (CMT-14)")
OPAQUE = (
    "an AES-CBC assertion in an unsigned response whose own signature is by SHA-1: what is wrong "
    "inside is not told to a stranger (ENC-6, DR-17). With SHA-1 allowed by name it is accepted")
ONE_ISSUER = (
    "SAML Profiles 4.1.4.2: the Issuer of the response and of the assertion are both the "
    "identifier of the identity provider, so they are the same")

ALEKSEY = "xmlsec/aleksey-xmldsig-01."
PYTHON = "python3-saml/"
ONELOGIN = "gosaml2/providertests/testdata/onelogin/olgn09_response_"
GOSAML = "gosaml2/providertests/testdata/"
CREWJAM = "crewjam-saml/testdata/"
PASSPORT = "passport-wsfed-saml2/extracted/"

DEVIATIONS = {
    # 130 bytes on P-521: the signer wrote 65 for each half.
    ALEKSEY + "enveloped-ecdsa-java-bug": (("signature.invalid",), ECDSA_WIDTH),
    # 66 bytes on P-256: a zero byte before each half.
    ALEKSEY + "enveloping-sha256-ecdsa-sha256_padded": (("signature.invalid",), ECDSA_WIDTH),
    # An ASN.1 SEQUENCE, accepted where ecdsa-asn1 is allowed.
    ALEKSEY + "enveloping-sha512-ecdsa-sha512-with-asn1": (
        ("algorithm.legacy",), ECDSA_WIDTH),

    PYTHON + "responses/response_without_assertion_reference_uri.xml.base64": (
        ("signature.reference-uri",), WHOLE_DOCUMENT),
    GOSAML + "saml.oktadev.com/response_9": (("accepted",), OPEN_WINDOW),
    GOSAML + "saml.oktadev.com/response_10": (("accepted",), OPEN_WINDOW),

    PYTHON + "logout_requests/logout_request.xml": (("xml.unexpected-root",), LOGOUT),
    PYTHON + "logout_requests/logout_request.xml.base64": (("xml.unexpected-root",), LOGOUT),
    PYTHON + "logout_requests/logout_request_deflated.xml.base64": (
        ("xml.unexpected-root",), LOGOUT),
    PYTHON + "logout_requests/logout_request_with_encoding.xml": (
        ("xml.unexpected-root",), LOGOUT),
    PYTHON + "logout_responses/logout_response_deflated.xml.base64": (
        ("xml.unexpected-root",), LOGOUT),
    PYTHON + "logout_responses/logout_response_with_encoding_deflated.xml.base64": (
        ("xml.unexpected-root",), LOGOUT),

    ONELOGIN + "50.b64": (("response.destination-missing",), SIGNED_DESTINATION),
    ONELOGIN + "155.b64": (("response.destination-missing",), SIGNED_DESTINATION),

    ONELOGIN + "83.b64": (("time.authenticated-in-future",), ISSUED_LATER),
    GOSAML + "okta_response.xml": (("time.issued-in-future",), ISSUED_LATER),
    GOSAML + "onelogin_response.xml": (("time.issued-in-future",), ISSUED_LATER),

    CREWJAM + "TestParseXMLArtifactResponse_response": (
        ("response.artifact-response",),
        "an ArtifactResponse is the answer of a back channel, no token; the contract lists what a "
        "SOAP envelope may hold"),
    CREWJAM + "TestSPMultipleAssertions": (
        ("xml.duplicate-id",),
        "an attack: a second assertion with the same ID. XML Schema Part 2, 3.3.8, and SAML Core "
        "1.3.4: an ID is unique; the corpus counts a refusal as right"),

    PASSPORT + "saml20-spnamequalifier-unspecified.xml": (
        ("subject.sp-name-qualifier",), OTHER_QUALIFIER),
    "php-saml/responses/invalids/invalid_strict_destination.xml.base64": (
        ("subject.sp-name-qualifier",), OTHER_QUALIFIER),
    PASSPORT + "saml20-namequalifier-persistent.xml": (
        ("accepted",),
        "SAML Core 8.3.7: NameQualifier names the identity provider that generated the "
        "identifier, which need not be the one that issued the assertion; it is kept beside the "
        "name as a property"),

    PYTHON + "responses/signed_encrypted_assertion2.xml.base64": (
        ("encryption.failed",), OPAQUE),
    ONELOGIN + "05.b64": (("encryption.failed",), OPAQUE),
    ONELOGIN + "06.b64": (("encryption.failed",), OPAQUE),
    PYTHON + "responses/double_signed_encrypted_assertion.xml.base64": (
        ("issuer.mismatch",), ONE_ISSUER),
    PYTHON + "responses/signed_message_encrypted_assertion.xml.base64": (
        ("encryption.failed",), ONE_ISSUER + ". With AES-CBC nothing tells what the plaintext names"),
    "php-saml/responses/response_encrypted_nameid_encrypted_assertion2.xml.base64": (
        ("xml.unexpected-element",),
        "SAML Core 2.4.1: the schema of a subject puts EncryptedID before SubjectConfirmation"),
    ONELOGIN + "24.b64": (
        ("accepted",),
        "the certificate around the decryption key has expired; we are given the key alone"),

    "signxml/xades/Signature-X-UK_ASC-2.xml": (
        ("xml.encoding",),
        "XML 1.0, 4.3.3 obliges processors to read UTF-8 and UTF-16 only; ISO-8859-1 is refused "
        "so that no filter reads another text than we do (XML-21)"),
}
