/**
 * Three suites: `node` needs nothing but Node; `kube` (files *.kube.test.ts) needs the real control plane of `npm run kube`;
 * `peers` (files *.peers.test.ts) needs Python and other people's Redfish clients, which `npm run test:peers` installs.
 */
import { defineConfig } from "vitest/config";

const needsControlPlane = "**/*.kube.test.ts";
const needsPeers = "**/*.peers.test.ts";

export default defineConfig({
  test: {
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["{src,tools,e2e,examples,scripts}/**/*.test.ts"],
          exclude: [needsControlPlane, needsPeers, "**/node_modules/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "kube",
          include: [`{src,tools,e2e,examples}/${needsControlPlane}`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "peers",
          include: [`e2e/${needsPeers}`],
          testTimeout: 120_000,
        },
      },
    ],
  },
});
