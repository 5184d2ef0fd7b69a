export { HTTPBootConfig } from "./http-boot-config.ts";
export { IPXEBootConfig } from "./ipxe-boot-config.ts";
