package import XMLTree

/// The names of SAML 2.0 metadata, and of the WS-Federation roles in it (WS-Federation 1.2, 3.1).
package enum MetadataName {
  package static let namespace = "urn:oasis:names:tc:SAML:2.0:metadata"
  package static let federation = "http://docs.oasis-open.org/wsfed/federation/200706"
  static let discovery = "urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol"
  static let publication = "urn:oasis:names:tc:SAML:metadata:rpi"
  static let addressing = "http://www.w3.org/2005/08/addressing"

  package static let entities = ExpandedName("EntitiesDescriptor", in: namespace)
  package static let entity = ExpandedName("EntityDescriptor", in: namespace)
  package static let extensions = ExpandedName("Extensions", in: namespace)
  package static let roleDescriptor = ExpandedName("RoleDescriptor", in: namespace)
  package static let keyDescriptor = ExpandedName("KeyDescriptor", in: namespace)
  package static let organization = ExpandedName("Organization", in: namespace)
  package static let contact = ExpandedName("ContactPerson", in: namespace)
  package static let additionalLocation = ExpandedName("AdditionalMetadataLocation", in: namespace)
  package static let affiliation = ExpandedName("AffiliationDescriptor", in: namespace)
  static let discoveryResponse = ExpandedName("DiscoveryResponse", in: discovery)
  static let publicationInfo = ExpandedName("PublicationInfo", in: publication)
  static let endpointReference = ExpandedName("EndpointReference", in: addressing)
  static let address = ExpandedName("Address", in: addressing)

  static let creationInstant = ExpandedName("creationInstant")
  package static let entityID = ExpandedName("entityID")
  package static let validUntil = ExpandedName("validUntil")
  package static let cacheDuration = ExpandedName("cacheDuration")
  package static let protocols = ExpandedName("protocolSupportEnumeration")
  package static let use = ExpandedName("use")
  package static let binding = ExpandedName("Binding")
  package static let location = ExpandedName("Location")
  package static let responseLocation = ExpandedName("ResponseLocation")
  package static let index = ExpandedName("index")
  package static let isDefault = ExpandedName("isDefault")
  package static let identifier = AttributeName.id
}
