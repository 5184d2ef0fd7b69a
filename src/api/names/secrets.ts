/** Keys and types of the Secrets and BMCSecrets we read. Compatibility surface. */

/** Of a BMCSecret, and of the Secret a firmware image is fetched with. */
export const usernameKey = "username";
export const passwordKey = "password";
/** Type of the Secret behind `ServerClaim.spec.userDataRef`. */
export const userDataSecretType = "metal.ironcore.dev/user-data";
/** Payload of an Ignition Secret. */
export const ignitionKey = "ignition";
/** `fcos` says that the Ignition payload is Butane and is translated when served. */
export const ignitionFormatKey = "format";
/** A script served to iPXE as it is. */
export const ipxeScriptKey = "ipxe-script";
