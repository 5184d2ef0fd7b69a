export { decodeProtobuf } from "./decode-protobuf.ts";
