export { type Decoded, DecodeError, strictDecodingMessage } from "./decode-error.ts";
export { decodeJson, decodeJsonObject } from "./decode-json.ts";
export { decodeApplyConfiguration, decodeYaml } from "./decode-yaml.ts";
export { goQuote } from "./go-quote.ts";
