/** Bearer tokens of service accounts: signed here, checked here, worthless once their account is gone. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Clock } from "#clock";
import type { UserInfo } from "../http/message.ts";
import type { Store } from "../store/index.ts";

export const ISSUER = "https://kubernetes.default.svc";
const ALGORITHM = "ES256";

interface Bound {
  readonly namespace: string;
  readonly serviceaccount: { readonly name: string; readonly uid: string };
}

export interface TokenRequest {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly lifetimeSeconds: number;
}

export interface IssuedToken {
  readonly token: string;
  readonly expires: Date;
}

export class ServiceAccountTokens {
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(privateKey: string, store: Store, clock: Clock) {
    this.#key = createPrivateKey(privateKey);
    this.#publicKey = createPublicKey(this.#key);
    this.#store = store;
    this.#clock = clock;
  }

  async issue({ namespace, name, uid, audiences, lifetimeSeconds }: TokenRequest): Promise<IssuedToken> {
    const { SignJWT } = await import("jose");
    const now = Math.floor(this.#clock.now().getTime() / 1000);
    const bound: Bound = { namespace, serviceaccount: { name, uid } };
    const token = await new SignJWT({ "kubernetes.io": bound })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(ISSUER)
      .setAudience([...audiences])
      .setSubject(`system:serviceaccount:${namespace}:${name}`)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(this.#key);
    return { token, expires: new Date((now + lifetimeSeconds) * 1000) };
  }

  /** The account a token stands for; undefined when the token is not valid, for whatever reason. */
  async check(token: string, audiences: readonly string[] = [ISSUER]): Promise<UserInfo | undefined> {
    const { jwtVerify } = await import("jose");
    try {
      const { payload } = await jwtVerify(token, this.#publicKey, {
        issuer: ISSUER,
        audience: [...audiences],
        algorithms: [ALGORITHM],
        currentDate: this.#clock.now(),
      });
      return this.#accountOf(payload["kubernetes.io"] as Bound | undefined);
    } catch {
      return undefined;
    }
  }

  #accountOf(bound: Bound | undefined): UserInfo | undefined {
    if (!bound) return undefined;
    const { namespace, serviceaccount } = bound;
    const account = this.#store.get(`core/serviceaccounts/${namespace}/${serviceaccount.name}`)?.object;
    if (!account || account.metadata.uid !== serviceaccount.uid) return undefined;
    return {
      username: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
      uid: serviceaccount.uid,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    };
  }
}
