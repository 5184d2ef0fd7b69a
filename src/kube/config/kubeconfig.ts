/** Reads kubeconfig files and merges them with kubectl's rules. It must never print what stands in an entry. */
import { readFile } from "node:fs/promises";
import { isAlias, isMap, isScalar, parseDocument } from "yaml";
import { ConfigError, fileErrorWord } from "./config-error.ts";
import { Fields } from "./fields.ts";

/** One named entry, still undecoded, and the file whose folder its relative paths are relative to. */
export interface Entry {
  readonly file: string;
  readonly body: unknown;
}

export interface Kubeconfig {
  /** The files that were read, in order of precedence. */
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
}

/** Reads one file; undefined when it does not exist. Anything else wrong with it is a {@link ConfigError}. */
export async function readKubeconfig(file: string): Promise<Kubeconfig | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new ConfigError(
      `cannot read kubeconfig ${file}: ${fileErrorWord(error)}; check the path and its permissions`,
      {
        cause: error,
      },
    );
  });
  return text === undefined ? undefined : decodeKubeconfig(file, text);
}

export function decodeKubeconfig(file: string, text: string): Kubeconfig {
  const problems: string[] = [];
  const root = new Fields(parseYaml(file, text), "", problems);
  const kind = root.text("kind");
  if (kind !== undefined && kind !== "Config") problems.push(`kind is ${kind}, not Config`);
  const config: Kubeconfig = {
    files: [file],
    currentContext: root.text("current-context"),
    clusters: entries(root, "clusters", "cluster", file),
    users: entries(root, "users", "user", file),
    contexts: entries(root, "contexts", "context", file),
  };
  if (problems.length > 0)
    throw new ConfigError(
      `kubeconfig ${file} is not valid: ${problems.join("; ")}; repair it or name another with --kubeconfig`,
    );
  return config;
}

/** The first file that has an entry of a name, or a current context, wins; entries are never mixed. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merge = (pick: (config: Kubeconfig) => ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> =>
    new Map([...configs].reverse().flatMap((config) => [...pick(config)]));
  return {
    files: configs.flatMap((config) => config.files),
    currentContext: configs.map((config) => config.currentContext).find((name) => name !== undefined),
    clusters: merge((config) => config.clusters),
    users: merge((config) => config.users),
    contexts: merge((config) => config.contexts),
  };
}

function parseYaml(file: string, text: string): unknown {
  const document = parseDocument(text, { version: "1.2", prettyErrors: false });
  const [error] = document.errors;
  const at = error ? text.slice(0, error.pos[0]).split("\n").length : 0;
  // The parser's own message may quote the line, which may hold a token.
  if (error)
    throw new ConfigError(`kubeconfig ${file} is not YAML (line ${at}, ${error.code}); repair it or name another`);
  const { contents } = document;
  if (contents !== null && !isMap(contents) && !isAlias(contents) && !(isScalar(contents) && contents.value === null))
    throw new ConfigError(
      `kubeconfig ${file} is not a kubeconfig: it holds no mapping; name another with --kubeconfig`,
    );
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ConfigError(`kubeconfig ${file} cannot be read as YAML: its aliases cannot be resolved`, {
      cause: error,
    });
  }
}

function entries(root: Fields, list: string, member: string, file: string): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  root.list(list).forEach((value, at) => {
    const entry = new Fields(value, `${list}[${at}]`, root.problems);
    const name = entry.required("name");
    if (name !== undefined && !found.has(name)) found.set(name, { file, body: entry.raw(member) });
  });
  return found;
}
