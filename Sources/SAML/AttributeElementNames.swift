import Claims
import XMLTree

/// The names that reading attributes asks for again and again, looked up once: what is static is made
/// when it is first used, which every use checks.
final class AttributeElementNames: Sendable {
  static let shared = AttributeElementNames()

  let attribute = SAML2Name.attribute
  let encryptedAttribute = SAML2Name.encryptedAttribute
  let attributeValue = SAML2Name.attributeValue
  let name = AttributeName.name
  let nameFormat = AttributeName.nameFormat
  let friendlyName = AttributeName.friendlyName
  let originalIssuer = AttributeName.originalIssuer
  let originalIssuer2008 = AttributeName.originalIssuer2008
  let xsiNil = AttributeName.xsiNil
  let xsiType = AttributeName.xsiType
  let stringType = ClaimTable.constants.stringType
  let nameFormatProperty = ClaimTable.constants.attributeName
  let friendlyNameProperty = ClaimTable.constants.friendlyName
}
