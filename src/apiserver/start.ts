/** Puts the server together: storage, kinds, security, controllers, listener. Owns their start and their end. */
import { join } from "node:path";
import { type Clock, type Random, systemClock, systemRandom } from "#clock";
import type { Transport } from "#kube";
import { webhookAdmission } from "./admission/webhooks.ts";
import { bootstrap } from "./bootstrap.ts";
import { builtInResources } from "./builtins/index.ts";
import { Background } from "./controllers/background.ts";
import { startControllers } from "./controllers/index.ts";
import { customResourceDefinitions } from "./crd/crd-kind.ts";
import { CRD_STORAGE, type CustomResourceDefinition } from "./crd/definition.ts";
import { inProcessTransport } from "./http/in-process.ts";
import { type Listener, listen } from "./http/listener.ts";
import type { UserInfo } from "./http/message.ts";
import { createPaths } from "./http/paths.ts";
import { createPipeline } from "./http/pipeline.ts";
import { OpenApi } from "./openapi/openapi.ts";
import type { Environment } from "./rest/call.ts";
import { Registry } from "./rest/registry.ts";
import type { ResourceRequest } from "./rest/request-info.ts";
import type { Resource } from "./rest/resource.ts";
import { loadCertificates, loadTokenKey, writePrivate } from "./security/credentials.ts";
import { adminKubeconfig } from "./security/kubeconfig.ts";
import { RbacAuthorizer } from "./security/rbac.ts";
import { serveReview } from "./security/reviews.ts";
import { ServiceAccountTokens } from "./security/service-account-tokens.ts";
import { requestToken } from "./security/token-request.ts";
import { memoryJournal, openLmdbJournal, Store } from "./store/index.ts";

export interface ApiServerOptions {
  /** Where everything is kept; without it, in memory only. */
  readonly data?: string;
  /** 0, or absent: a free one. False: in-process only, no listener. */
  readonly port?: number | false;
  /** Loopback unless told otherwise. */
  readonly host?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Told about failures nobody is waiting for. */
  readonly report?: (what: string, error: unknown) => void;
}

export interface ApiServer {
  readonly url: string;
  /** The administrator's kubeconfig, as YAML. */
  readonly kubeconfig: string;
  /** Where the kubeconfig was written; absent without a data directory. */
  readonly kubeconfigPath?: string;
  /** Talks to this server without a connection, as the administrator unless told otherwise; `nobody` must bring a token. */
  transport(user?: UserInfo | "nobody"): Transport;
  /** Resolves when the controllers inside have nothing left to do right now. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const ADMIN: UserInfo = { username: "system:apiserver", groups: ["system:masters"] };

export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { data, clock = systemClock, random = systemRandom, report = () => {} } = options;
  const store = new Store(data ? openLmdbJournal(join(data, "store")) : memoryJournal());
  const registry = new Registry();
  for (const resource of [...builtInResources, customResourceDefinitions]) registry.add(resource);
  const background = new Background(report);
  const environment: Environment = { store, registry, clock, random, admission: webhookAdmission(() => environment) };
  await bootstrap(environment);
  const stopControllers = startControllers(environment, background);
  const authorizer = new RbacAuthorizer(store);
  const tokens = new ServiceAccountTokens(loadTokenKey(data && join(data, "pki")), store, clock);
  let address = "";
  const handle = createPipeline({
    environment,
    authorizer,
    checkToken: (token) => tokens.check(token),
    servePath: createPaths({
      registry,
      store,
      openApi: new OpenApi(registry, (r) => schemaOf(store, r)),
      address: () => address,
    }),
    serveVirtual: (request, info, user) =>
      isTokenRequest(info)
        ? requestToken(request, info, store, tokens)
        : serveReview(request, info, user, { authorizer, tokens }),
    report,
  });
  const opened = options.port === false ? undefined : await openListener(options, handle, clock.now());
  address = opened ? `127.0.0.1:${opened.listener.port}` : "localhost";
  return {
    url: `https://${address}`,
    kubeconfig: opened?.kubeconfig ?? "",
    ...(opened?.path && { kubeconfigPath: opened.path }),
    transport: (user = ADMIN) => inProcessTransport(handle, user === "nobody" ? undefined : user),
    idle: () => background.idle(),
    close: async () => {
      await opened?.listener.close();
      stopControllers();
      await background.close();
      await store.close();
    },
  };
}

interface Opened {
  readonly listener: Listener;
  readonly kubeconfig: string;
  readonly path: string | undefined;
}

async function openListener(
  { data, port, host = "127.0.0.1" }: ApiServerOptions,
  handle: Parameters<typeof listen>[0]["handle"],
  now: Date,
): Promise<Opened> {
  const certificates = await loadCertificates(data && join(data, "pki"), now);
  const { server, authority } = certificates;
  const listener = await listen({ handle, ...server, clientCa: authority.cert, port: port || 0, host });
  const kubeconfig = adminKubeconfig(`https://127.0.0.1:${listener.port}`, certificates);
  const path = data && join(data, "kubeconfig");
  if (path) writePrivate(path, kubeconfig);
  return { listener, kubeconfig, path };
}

function isTokenRequest({ group, resource, subresource }: ResourceRequest): boolean {
  return group === "" && resource === "serviceaccounts" && subresource === "token";
}

function schemaOf(store: Store, { group, plural, version }: Resource): object | undefined {
  const crd = store.get(`${CRD_STORAGE}/${plural}.${group}`)?.object as CustomResourceDefinition | undefined;
  return crd?.spec.versions.find((v) => v.name === version)?.schema?.openAPIV3Schema;
}
