/** The accounts of one BMC: who may log in. Knows nothing of HTTP. */

export interface Account {
  readonly id: string;
  username: string;
  password: string;
  role: string;
  enabled: boolean;
  /** Wrong passwords since the last right one. */
  failures?: number;
  /** Locked until this moment of the monotonic clock. */
  lockedUntilMs?: number;
}

export class Accounts {
  readonly #byId = new Map<string, Account>();
  readonly slots: number;
  minPasswordLength = 8;
  maxPasswordLength = 32;
  /** So many wrong passwords lock an account; 0 never does. */
  lockoutThreshold = 0;
  lockoutSeconds = 0;

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

  /** The enabled account these credentials open at this moment; a wrong password counts towards a lock-out. */
  check(username: string, password: string, nowMs: number): Account | undefined {
    const account = this.named(username);
    if (!account?.enabled || this.isLocked(account, nowMs)) return undefined;
    if (account.password === password) {
      account.failures = 0;
      return account;
    }
    account.failures = (account.failures ?? 0) + 1;
    if (this.lockoutThreshold > 0 && account.failures >= this.lockoutThreshold) {
      account.lockedUntilMs = nowMs + this.lockoutSeconds * 1000;
      account.failures = 0;
    }
    return undefined;
  }

  isLocked({ lockedUntilMs = -Infinity }: Account, nowMs: number): boolean {
    return nowMs < lockedUntilMs;
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
