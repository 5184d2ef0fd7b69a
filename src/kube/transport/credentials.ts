/** What is presented to the server with each request: an authorization header, a client certificate, the CA we trust. */
import { type Clock, minutes, type Random, seconds } from "#clock";
import { Redacted } from "#kinds";
import type { ConnectionConfig, Material, UserConfig } from "../config/connection-config.ts";
import type { ExecCredential } from "./exec-credential.ts";
import { ExecCredentials } from "./exec-credentials.ts";
import { type ClusterInfo, runExecPlugin } from "./exec-plugin.ts";
import { FreshFile } from "./fresh-file.ts";

/** The TLS side of it. A new object only when something in it changed. */
export interface TlsIdentity {
  readonly authority: string | undefined;
  readonly certificate: string | undefined;
  readonly key: Redacted | undefined;
}

export interface Presented {
  readonly authorization: Redacted | undefined;
  readonly tls: TlsIdentity;
}

export interface CredentialOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The environment plugins inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: boolean;
  /** How long a plugin may take; a minute unless said otherwise, five with a person at the terminal. */
  readonly pluginTimeoutMs?: number;
  /** Ends plugins under way. */
  readonly signal: AbortSignal;
}

/** How often files and expiry are looked at, at most; far less than the margins they have. */
const RECHECK_MS = seconds(1);

/** Rejects with `CredentialError` when there is nothing to present. */
export class Credentials {
  readonly #config: ConnectionConfig;
  readonly #options: CredentialOptions;
  readonly #files = new Map<string, FreshFile>();
  readonly #exec: ExecCredentials | undefined;
  #last: Presented | undefined;
  /** Monotonic time until which the last answer needs no second look. */
  #goodUntil = 0;
  #lastExec: ExecCredential | undefined;

  constructor(config: ConnectionConfig, options: CredentialOptions) {
    this.#config = config;
    this.#options = options;
    const { exec } = config.user;
    if (exec) this.#exec = new ExecCredentials(() => this.#runPlugin(exec), options.clock, options.random);
  }

  /** What to present when that is known without asking a file or a plugin. */
  peek(): Presented | undefined {
    return this.#options.clock.monotonic() < this.#goodUntil ? this.#last : undefined;
  }

  /** What to present now. The same object as long as nothing changed. */
  async current(): Promise<Presented> {
    const { certificateAuthority, user } = this.#config;
    const exec = await this.#exec?.current();
    this.#lastExec = exec;
    const tls: TlsIdentity = {
      authority: await this.#read(certificateAuthority),
      certificate: exec?.clientCertificate?.certificate ?? (await this.#read(user.clientCertificate?.certificate)),
      key: exec?.clientCertificate?.key ?? secret(await this.#read(user.clientCertificate?.key)),
    };
    return this.#remember({ authorization: authorizationOf(user, exec, await this.#read(user.token)), tls });
  }

  /** The server answered 401 to `rejected`. True when there is now something else to present. */
  async refresh(rejected: Presented): Promise<boolean> {
    if (this.#last === rejected && this.#exec && this.#lastExec) await this.#exec.renew(this.#lastExec);
    await Promise.all([...this.#files.values()].map((file) => file.reread()));
    return (await this.current()) !== rejected;
  }

  #remember(fresh: Presented): Presented {
    const last = this.#last;
    const tls = last && sameTls(last.tls, fresh.tls) ? last.tls : fresh.tls;
    const same = tls === last?.tls && reveal(last.authorization) === reveal(fresh.authorization);
    this.#last = same ? last : { authorization: fresh.authorization, tls };
    this.#goodUntil = this.#options.clock.monotonic() + RECHECK_MS;
    return this.#last as Presented;
  }

  #read(material: Material | undefined): string | undefined | Promise<string> {
    if (!material) return undefined;
    if ("data" in material) return material.data.reveal();
    let file = this.#files.get(material.file);
    if (!file) {
      file = new FreshFile(material.file, this.#options.clock);
      this.#files.set(material.file, file);
    }
    return file.current();
  }

  async #runPlugin(exec: NonNullable<UserConfig["exec"]>): Promise<ExecCredential> {
    const { clock, env, terminal, signal, pluginTimeoutMs } = this.#options;
    const timeoutMs = pluginTimeoutMs ?? (terminal ? minutes(5) : seconds(60));
    const cluster = exec.provideClusterInfo ? await this.#clusterInfo() : undefined;
    return runExecPlugin(exec, { clock, env, terminal, signal, timeoutMs, cluster });
  }

  async #clusterInfo(): Promise<ClusterInfo> {
    const { server, tlsServerName, insecureSkipTlsVerify, proxyUrl, certificateAuthority, user } = this.#config;
    const authority = await this.#read(certificateAuthority);
    return {
      server,
      ...(tlsServerName && { "tls-server-name": tlsServerName }),
      ...(insecureSkipTlsVerify && { "insecure-skip-tls-verify": true }),
      ...(authority && { "certificate-authority-data": Buffer.from(authority).toString("base64") }),
      ...(proxyUrl && { "proxy-url": proxyUrl.reveal() }),
      config: user.exec?.clusterExtension ?? null,
    };
  }
}

function authorizationOf(
  user: UserConfig,
  exec: ExecCredential | undefined,
  token: string | undefined,
): Redacted | undefined {
  const bearer = exec?.token?.reveal() ?? token?.trim();
  if (bearer) return new Redacted(`Bearer ${bearer}`);
  if (!user.basic) return undefined;
  const pair = `${user.basic.username}:${user.basic.password.reveal()}`;
  return new Redacted(`Basic ${Buffer.from(pair).toString("base64")}`);
}

function sameTls(a: TlsIdentity, b: TlsIdentity): boolean {
  return a.authority === b.authority && a.certificate === b.certificate && reveal(a.key) === reveal(b.key);
}

function secret(text: string | undefined): Redacted | undefined {
  return text === undefined ? undefined : new Redacted(text);
}

function reveal(value: Redacted | undefined): string | undefined {
  return value?.reveal();
}
