import type { Selectable } from "kysely";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { ChannelPairingColumns, ChannelSenderColumns } from "./schema.js";

/** A sender of an account of a channel. */
export interface ChannelSender {
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
}

/** Sender whom the operator admitted. */
export interface AdmittedSender extends ChannelSender {
  readonly userName: string | undefined;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** Operator who admitted the sender. */
  readonly addedBy: string;
}

/** Request of a sender to be admitted. */
export interface PairingRequest extends ChannelSender {
  readonly userName: string | undefined;
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Limits of pairing. */
export interface PairingLimits {
  /** Milliseconds that a request is valid. */
  readonly pendingMs: number;
  /** Maximum number of valid requests of one channel. */
  readonly maxPendingPerChannel: number;
  /** Number of wrong codes in one window from which on the channel is locked. */
  readonly maxFailures: number;
  /** Length of the window in milliseconds, from the first wrong code. */
  readonly failureWindowMs: number;
}

/** Outcome of a request to be admitted. */
export type PairingOffer =
  | { readonly outcome: "created" | "pending"; readonly request: PairingRequest }
  /** Too many other senders wait. */
  | { readonly outcome: "full" };

/** Outcome of the approval of a code. */
export type PairingApproval =
  | { readonly outcome: "approved"; readonly sender: AdmittedSender }
  | { readonly outcome: "unknown"; readonly attemptsLeft: number }
  /** Too many wrong codes; nothing was compared. */
  | { readonly outcome: "locked"; readonly retryAfterMs: number };

/** Senders of channels: those whom the operator admitted, and requests (HOST-021, HOST-022). */
export interface ChannelSenders {
  /** Returns the admitted senders in the order of admission. */
  admitted(): Promise<readonly AdmittedSender[]>;
  /** Returns the valid requests, oldest first. */
  pending(): Promise<readonly PairingRequest[]>;
  /**
   * Stores a request, unless the sender already has a valid one or too many others wait.
   * @param sender - the sender, with the name on the channel
   * @param code - code of a new request
   */
  request(
    sender: ChannelSender & { readonly userName: string | undefined },
    code: string,
    limits: PairingLimits,
  ): Promise<PairingOffer>;
  /**
   * Admits the sender of a request.
   * @param channel - channel of the request
   * @param code - its code, in upper case
   * @param by - operator
   */
  approve(
    channel: string,
    code: string,
    by: string,
    limits: PairingLimits,
  ): Promise<PairingApproval>;
  /**
   * Removes an admitted sender, or the request of one.
   * @param accountId - account; every account when absent
   * @returns the accounts from which it was removed
   */
  remove(channel: string, senderId: string, accountId?: string): Promise<readonly string[]>;
}

/** The senders of channels of a database or transaction. */
export class ChannelSenderTable implements ChannelSenders {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async admitted(): Promise<readonly AdmittedSender[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("channel_senders")
      .selectAll()
      .orderBy("added_at")
      .orderBy("sender_id")
      .execute();
    return rows.map(admittedSender);
  }

  async pending(): Promise<readonly PairingRequest[]> {
    const now = await this.#unit.clock();
    const rows = await this.#unit
      .query()
      .selectFrom("channel_pairings")
      .selectAll()
      .where("expires_at", ">", now)
      .orderBy("requested_at")
      .orderBy("sender_id")
      .execute();
    return rows.map(pairingRequest);
  }

  async request(
    { userName, ...sender }: ChannelSender & { readonly userName: string | undefined },
    code: string,
    { pendingMs, maxPendingPerChannel }: PairingLimits,
  ): Promise<PairingOffer> {
    return await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      const channel = encodeText(sender.channel);
      await unit
        .query()
        .deleteFrom("channel_pairings")
        .where("channel", "=", channel)
        .where("expires_at", "<=", now)
        .execute();
      const rows = await unit
        .query()
        .selectFrom("channel_pairings")
        .selectAll()
        .where("channel", "=", channel)
        .execute();
      const own = rows.map(pairingRequest).find((row) => isOf(row, sender));
      if (own !== undefined) return { outcome: "pending", request: own };
      if (rows.length >= maxPendingPerChannel) return { outcome: "full" };
      const request = { ...sender, userName, code, requestedAt: now, expiresAt: now + pendingMs };
      await unit
        .query()
        .insertInto("channel_pairings")
        .values({
          ...senderColumns(sender),
          user_name: encodeOptionalText(userName),
          code,
          requested_at: now,
          expires_at: request.expiresAt,
        })
        .execute();
      return { outcome: "created", request };
    });
  }

  async approve(
    channelName: string,
    code: string,
    by: string,
    { maxFailures, failureWindowMs }: PairingLimits,
  ): Promise<PairingApproval> {
    return await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      const channel = encodeText(channelName);
      const failures = new FailureWindow(unit, channel);
      const window = await failures.current(now - failureWindowMs);
      if (window.failures >= maxFailures) {
        return { outcome: "locked", retryAfterMs: window.start + failureWindowMs - now };
      }
      const row = await unit
        .query()
        .selectFrom("channel_pairings")
        .selectAll()
        .where("channel", "=", channel)
        .where("code", "=", encodeText(code))
        .where("expires_at", ">", now)
        .executeTakeFirst();
      if (row === undefined) {
        await failures.add(window, now);
        return { outcome: "unknown", attemptsLeft: maxFailures - window.failures - 1 };
      }
      const { account_id, sender_id, user_name } = row;
      const admitted = {
        ...{ channel, account_id, sender_id, user_name },
        ...{ added_at: now, added_by: encodeText(by) },
      };
      const key = { channel, account_id, sender_id };
      await removeRow(unit, "channel_pairings", key);
      await removeRow(unit, "channel_senders", key);
      await unit.query().insertInto("channel_senders").values(admitted).execute();
      return { outcome: "approved", sender: admittedSender(admitted) };
    });
  }

  async remove(channel: string, senderId: string, accountId?: string): Promise<readonly string[]> {
    return await this.#unit.atomic(async (unit) => {
      const accounts = new Set<string>();
      for (const table of ["channel_senders", "channel_pairings"] as const) {
        let removal = unit
          .query()
          .deleteFrom(table)
          .where("channel", "=", encodeText(channel))
          .where("sender_id", "=", encodeText(senderId));
        if (accountId !== undefined) {
          removal = removal.where("account_id", "=", encodeText(accountId));
        }
        for (const { account_id } of await removal.returning("account_id").execute()) {
          accounts.add(decodeText(account_id));
        }
      }
      return [...accounts];
    });
  }
}

/** Wrong codes of a channel in the current window. */
class FailureWindow {
  readonly #unit: UnitOfWork;
  readonly #channel: string;

  constructor(unit: UnitOfWork, channel: string) {
    this.#unit = unit;
    this.#channel = channel;
  }

  /** Returns the window that began after a time; an empty one when there is none. */
  async current(after: number): Promise<{ readonly start: number; readonly failures: number }> {
    const row = await this.#unit
      .query()
      .selectFrom("channel_pairing_failures")
      .selectAll()
      .where("channel", "=", this.#channel)
      .where("window_start", ">", after)
      .executeTakeFirst();
    if (row === undefined) return { start: 0, failures: 0 };
    return { start: Number(row.window_start), failures: Number(row.failures) };
  }

  /** Counts a wrong code. */
  async add(window: { readonly start: number; readonly failures: number }, now: number) {
    await this.#unit
      .query()
      .deleteFrom("channel_pairing_failures")
      .where("channel", "=", this.#channel)
      .execute();
    const window_start = window.failures === 0 ? now : window.start;
    await this.#unit
      .query()
      .insertInto("channel_pairing_failures")
      .values({ channel: this.#channel, window_start, failures: window.failures + 1 })
      .execute();
  }
}

async function removeRow(
  unit: UnitOfWork,
  table: "channel_senders" | "channel_pairings",
  key: { readonly channel: string; readonly account_id: string; readonly sender_id: string },
): Promise<void> {
  await unit
    .query()
    .deleteFrom(table)
    .where("channel", "=", key.channel)
    .where("account_id", "=", key.account_id)
    .where("sender_id", "=", key.sender_id)
    .execute();
}

function isOf(row: ChannelSender, { channel, accountId, senderId }: ChannelSender): boolean {
  return row.channel === channel && row.accountId === accountId && row.senderId === senderId;
}

function senderColumns({ channel, accountId, senderId }: ChannelSender) {
  return {
    channel: encodeText(channel),
    account_id: encodeText(accountId),
    sender_id: encodeText(senderId),
  };
}

function admittedSender(row: Selectable<ChannelSenderColumns>): AdmittedSender {
  return {
    channel: decodeText(row.channel),
    accountId: decodeText(row.account_id),
    senderId: decodeText(row.sender_id),
    userName: decodeOptionalText(row.user_name),
    addedAt: Number(row.added_at),
    addedBy: decodeText(row.added_by),
  };
}

function pairingRequest(row: Selectable<ChannelPairingColumns>): PairingRequest {
  return {
    channel: decodeText(row.channel),
    accountId: decodeText(row.account_id),
    senderId: decodeText(row.sender_id),
    userName: decodeOptionalText(row.user_name),
    code: decodeText(row.code),
    requestedAt: Number(row.requested_at),
    expiresAt: Number(row.expires_at),
  };
}
