/** The accounts of one BMC: who may log in. Knows nothing of HTTP. */

export interface Account {
  readonly id: string;
  username: string;
  password: string;
  role: string;
  enabled: boolean;
}

export class Accounts {
  readonly #byId = new Map<string, Account>();
  readonly slots: number;
  minPasswordLength = 8;
  maxPasswordLength = 32;

  constructor(slots: number, first: { readonly username: string; readonly password: string }) {
    this.slots = slots;
    this.#byId.set("1", { id: "1", ...first, role: "Administrator", enabled: true });
  }

  list(): readonly Account[] {
    return [...this.#byId.values()];
  }

  get(id: string): Account | undefined {
    return this.#byId.get(id);
  }

  /** The enabled account these credentials open. */
  check(username: string, password: string): Account | undefined {
    for (const account of this.#byId.values())
      if (account.enabled && account.username !== "" && account.username === username && account.password === password)
        return account;
    return undefined;
  }

  named(username: string): Account | undefined {
    return this.list().find((account) => account.username === username && username !== "");
  }

  /** The lowest free number, or undefined when every slot is taken. */
  create(account: Omit<Account, "id">): Account | undefined {
    for (let n = 1; n <= this.slots; n++) {
      const id = String(n);
      if (this.#byId.has(id)) continue;
      const made = { id, ...account };
      this.#byId.set(id, made);
      return made;
    }
    return undefined;
  }

  /** Fixed-slot firmware shows every slot, used or not. */
  fillSlots(): void {
    while (this.create({ username: "", password: "", role: "None", enabled: false }));
  }

  remove(id: string): boolean {
    return this.#byId.delete(id);
  }
}
