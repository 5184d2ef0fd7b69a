/** The serving certificate from files that are replaced while we run: looked at every so often, used once it is sound. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Clock, seconds } from "#clock";

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Reads both files and refuses a pair that does not belong together, naming the files. */
export async function readKeyPair({ certFile, keyFile }: CertificateFiles, signal?: AbortSignal): Promise<KeyPair> {
  const read = { encoding: "utf8", ...(signal ? { signal } : {}) } as const;
  const [cert, key] = await Promise.all([readFile(certFile, read), readFile(keyFile, read)]);
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return { cert, key };
  } catch (error) {
    throw new Error(`certificate ${certFile} or key ${keyFile} cannot be read: ${(error as Error).message}`);
  }
  throw new Error(`key ${keyFile} does not belong to certificate ${certFile}: replace both together`);
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly everyMs?: number;
  readonly onChange: (pair: KeyPair) => void;
  /** The files cannot be used at the moment; the last good pair stays in use. */
  readonly onError: (error: unknown) => void;
}

/**
 * Calls `onChange` whenever the files hold another sound pair, until aborted; never rejects. Polls instead of watching
 * the file system, because a mounted Secret is replaced by swapping a link above the files.
 */
export async function followKeyPair(
  files: CertificateFiles,
  current: KeyPair,
  options: FollowOptions,
  signal: AbortSignal,
): Promise<void> {
  let last = current;
  while (!signal.aborted) {
    await options.clock.sleep(options.everyMs ?? seconds(10), signal).catch(() => {});
    if (signal.aborted) return;
    try {
      const pair = await readKeyPair(files, signal);
      if (pair.cert === last.cert && pair.key === last.key) continue;
      options.onChange(pair);
      last = pair;
    } catch (error) {
      if (!signal.aborted) options.onError(error);
    }
  }
}
