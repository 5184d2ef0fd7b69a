/** What the server says it is. The API level is that of the Kubernetes release it is compared with. */
export const VERSION = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.3+metalwright",
  gitCommit: "none",
  gitTreeState: "clean",
  buildDate: "2026-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
};
