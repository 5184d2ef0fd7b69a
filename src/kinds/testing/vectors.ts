/** Texts and what they mean. The fast tests check our readers with them, the tests on a real control plane check the texts. */

/** A quantity and its canonical form. */
export const quantityVectors: readonly [string, string][] = [
  ["0", "0"],
  ["0Gi", "0"],
  ["1", "1"],
  ["1000", "1k"],
  ["1024", "1024"],
  ["1024Ki", "1Mi"],
  ["1.5Gi", "1536Mi"],
  ["512Gi", "512Gi"],
  ["0.5Ki", "512"],
  ["1500m", "1500m"],
  ["1.5", "1500m"],
  ["100m", "100m"],
  ["0.000000001", "1n"],
  ["0.0000000001", "1n"],
  [".5", "500m"],
  ["1e3", "1e3"],
  ["12e6", "12e6"],
  ["1e-3", "1e-3"],
  ["1E", "1E"],
  ["1Ei", "1Ei"],
  ["3M", "3M"],
  ["3u", "3u"],
  ["1025Ki", "1025Ki"],
  ["9223372036854775807", "9223372036854775807"],
];

/** Read alike, but an API server answers them as they were sent, or takes no negative amount where it was asked. */
export const oddlyWrittenQuantities: readonly [string, string][] = [
  ["5.", "5"],
  ["+3k", "3k"],
  ["-1500m", "-1500m"],
  ["1E3", "1e3"],
  ["99999999999999999999", "9223372036854775807"],
];

/** An API server reads these as zero; we would rather hear of them. */
export const digitlessQuantities: readonly string[] = ["-", ".", "Gi"];

export const notQuantities: readonly string[] = [
  "",
  "1 Gi",
  "1gi",
  "1K",
  "0x10",
  "1e",
  "1e+",
  "1.2.3",
  "--1",
  "1Mi5",
  "1e1.5",
  "∞",
];

/** The labels that {@link selectorVectors} are asked about. */
export const selectedLabels: Record<string, string> = { app: "web", tier: "front", cores: "16", empty: "" };

/** A selector and whether it selects {@link selectedLabels}. */
export const selectorVectors: readonly [string, boolean][] = [
  ["", true],
  ["app=web", true],
  ["app==web", true],
  ["app = web , tier != back", true],
  ["app!=web", false],
  ["none!=web", true],
  ["app in (api, web)", true],
  ["app notin (api,web)", false],
  ["app", true],
  ["!app", false],
  ["! none", true],
  ["cores>8", true],
  ["cores>16", false],
  ["cores<100,app in (web)", true],
  ["tier>1", false],
  ["none>1", false],
  ["empty=", true],
  ["app in (web,)", true],
];

export const notSelectors: readonly string[] = [
  "=web",
  "app in",
  "app in web",
  "app in (web",
  "a b",
  "a=b c",
  "a>b",
  ",",
  "a,",
  "a=-",
  "/a=b",
  "a=b,,c",
  "!a=b",
];
