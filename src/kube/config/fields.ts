/** Reads fields out of untrusted YAML and collects every problem instead of stopping at the first. */

/** One mapping of a document; readers return undefined for what is absent or wrong, and note the wrong ones. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly problems: string[];

  constructor(value: unknown, where: string, problems: string[]) {
    this.#where = where;
    this.problems = problems;
    const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isMapping && value !== undefined && value !== null) problems.push(`${where} must be a mapping`);
    this.#values = isMapping ? (value as Record<string, unknown>) : {};
  }

  raw(name: string): unknown {
    return this.#values[name] ?? undefined;
  }

  /** A non-empty string; kubectl writes absent ones as "". */
  text(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || value === "") return undefined;
    if (typeof value === "string") return value;
    return this.#wrong(name, "a string");
  }

  required(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || value === "") return this.#wrong(name, "given");
    return this.text(name);
  }

  flag(name: string): boolean {
    const value = this.raw(name);
    if (value === undefined || typeof value === "boolean") return value ?? false;
    this.#wrong(name, "true or false");
    return false;
  }

  texts(name: string): string[] {
    return this.list(name).flatMap((value, at) => {
      if (typeof value === "string") return [value];
      this.#wrong(`${name}[${at}]`, "a string");
      return [];
    });
  }

  list(name: string): readonly unknown[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.#wrong(name, "a list");
    return [];
  }

  /** Base64, decoded to text. */
  base64(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const compact = value.replace(/\s+/g, "");
    if (/^[A-Za-z0-9+/]*={0,2}$/.test(compact) && compact.length % 4 !== 1)
      return Buffer.from(compact, "base64").toString("utf8");
    return this.#wrong(name, "base64");
  }

  under(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.path(name), this.problems);
  }

  path(name: string): string {
    return this.#where === "" ? name : `${this.#where}.${name}`;
  }

  #wrong(name: string, expected: string): undefined {
    this.problems.push(`${this.path(name)} must be ${expected}`);
    return undefined;
  }
}
