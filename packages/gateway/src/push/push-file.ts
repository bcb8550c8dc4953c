import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writePrivateFile } from "@openclaw/foundation/file-replacement";
import { StateFolderError } from "@openclaw/store/errors";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { createVapidKey, type VapidKey } from "./vapid.js";

const subscription = Type.Object({
  endpoint: Type.String(),
  p256dh: Type.String(),
  auth: Type.String(),
  createdAt: Type.Number(),
  createdBy: Type.String(),
});
const content = Type.Object({
  jwk: Type.Object({
    ...{ kty: Type.String(), crv: Type.String(), x: Type.String() },
    ...{ y: Type.String(), d: Type.String() },
  }),
  publicKey: Type.String(),
  subscriptions: Type.Array(subscription),
});

/** Browser that receives notifications. */
export type PushSubscriber = Readonly<Static<typeof subscription>>;

/** Contents of the file. */
type PushContent = VapidKey & { readonly subscriptions: readonly PushSubscriber[] };

/** Maximum number of subscriptions; the oldest one gives its place to a new one. */
const MOST = 100;

/**
 * Key and subscriptions of a gateway, in a private file of its state folder: a subscription is valid only with the key it
 * was made with.
 */
export class PushFile {
  readonly #file: string;
  #content: PushContent | undefined;

  /** @param file - path of the file, which need not exist and is read with its first use */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Key of the gateway, created with its first use.
   * @throws StateFolderError when the file is damaged
   */
  get key(): VapidKey {
    return this.#read() ?? this.#write({ ...createVapidKey(), subscriptions: [] });
  }

  /**
   * Subscriptions, the oldest first.
   * @throws StateFolderError when the file is damaged
   */
  get subscriptions(): readonly PushSubscriber[] {
    return this.#read()?.subscriptions ?? [];
  }

  /**
   * Stores a subscription, instead of an earlier one with the same endpoint.
   * @param added - subscription
   */
  add(added: PushSubscriber): void {
    const others = this.subscriptions.filter(({ endpoint }) => endpoint !== added.endpoint);
    this.#write({ ...this.key, subscriptions: [...others, added].slice(-MOST) });
  }

  /**
   * Removes a subscription.
   * @param endpoint - its URL
   * @returns true if it existed
   */
  remove(endpoint: string): boolean {
    const kept = this.subscriptions.filter((each) => each.endpoint !== endpoint);
    if (kept.length === this.subscriptions.length) return false;
    this.#write({ ...this.key, subscriptions: kept });
    return true;
  }

  #write(written: PushContent): PushContent {
    writePrivateFile(this.#file, `${JSON.stringify(written, null, 2)}\n`);
    this.#content = written;
    return written;
  }

  #read(): PushContent | undefined {
    this.#content ??= readContent(this.#file);
    return this.#content;
  }
}

function readContent(file: string): PushContent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw damaged(file, error);
  }
  if (!Check(content, value)) throw damaged(file);
  return value;
}

function damaged(file: string, cause?: unknown): StateFolderError {
  return new StateFolderError(dirname(file), `has a damaged file ${file}`, {
    nextStep: "remove this file, and allow notifications in each browser again",
    cause,
  });
}
