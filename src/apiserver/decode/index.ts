export { type Decoded, DecodeError, strictDecodingMessage } from "./decode-error.ts";
export { decodeJsonObject } from "./decode-json.ts";
export { decodeApplyConfiguration, decodeYaml } from "./decode-yaml.ts";
