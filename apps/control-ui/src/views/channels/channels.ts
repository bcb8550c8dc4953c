import type { GatewayMethodName } from "@openclaw/client";
import type {
  DeviceSummary,
  GatewayMethodParameters,
  GatewayMethodResult,
} from "@openclaw/protocol";
import { effect, signal } from "@preact/signals";
import { token } from "../../state/credential.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { channels, waitingSenders } from "../../state/host.js";
import { call, isLive, mayCall, missingScope, onOpened } from "../../state/link.js";
import { text } from "./messages.js";

/** Account of a channel. */
export type ChannelState = GatewayMethodResult<"channels.list">["channels"][number];
/** Person who was admitted. */
export type AdmittedPerson = GatewayMethodResult<"pairing.list">["admitted"][number];

/** People; undefined before the first read. */
export const people = signal<GatewayMethodResult<"pairing.list"> | undefined>(undefined);
/** Devices; undefined before the first read. */
export const devices = signal<readonly DeviceSummary[] | undefined>(undefined);
/** Settings and steps of the channel of the page. */
export const setup = signal<GatewayMethodResult<"channels.describe"> | undefined>(undefined);
/** Results of tests by account. */
export const tests = signal<ReadonlyMap<string, GatewayMethodResult<"channels.test">>>(new Map());
/** Failure of a read or of a change. */
export const fault = signal<Fault | undefined>(undefined);
/** True while a change is under way. */
export const isWorking = signal(false);
/** True once the channels were read for this view. */
export const isRead = signal(false);

/** Reads channels, people and devices, as far as the token may see them. */
export async function loadChannels(): Promise<void> {
  try {
    const [listed, paired, known] = await Promise.all([
      mayCall("channels.list") ? call("channels.list", {}) : undefined,
      mayCall("pairing.list") ? call("pairing.list", {}) : undefined,
      mayCall("devices.list") ? call("devices.list", {}) : undefined,
    ]);
    if (listed !== undefined) channels.value = listed.channels;
    if (paired !== undefined) waitingSenders.value = paired.pending.length;
    people.value = paired;
    devices.value = known?.devices;
    isRead.value = true;
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/** Reads how a channel is set up. */
export async function loadSetup(channel: string): Promise<void> {
  if (setup.value?.channel !== channel) setup.value = undefined;
  try {
    setup.value = await call("channels.describe", { channel });
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/**
 * Changes something with the method that the command line uses, and reads the lists again.
 * @returns the result; undefined when it failed, with the failure on the page
 */
export async function change<Name extends GatewayMethodName>(
  method: Name,
  parameters: GatewayMethodParameters<Name>,
): Promise<GatewayMethodResult<Name> | undefined> {
  if (isWorking.value) return undefined;
  isWorking.value = true;
  fault.value = undefined;
  try {
    const result = await call(method, parameters);
    await loadChannels();
    return result;
  } catch (error) {
    fault.value = faultOf(error);
    return undefined;
  } finally {
    isWorking.value = false;
  }
}

/**
 * Asks the platform whether it accepts an account.
 * @param state - account of a channel
 */
export async function testChannel({ channel, accountId }: ChannelState): Promise<void> {
  const account = accountId === undefined ? {} : { accountId };
  const result = await change("channels.test", { channel, ...account });
  if (result !== undefined) {
    tests.value = new Map([...tests.value, [nameOf(result), result]]);
  }
}

/**
 * Returns the name of an account for people.
 * @param account - channel and account
 */
export function nameOf({
  channel,
  accountId = "default",
}: {
  readonly channel: string;
  readonly accountId?: string | undefined;
}): string {
  return accountId === "default" ? channel : `${channel} ${accountId}`;
}

/** Returns why nothing can be changed now; undefined when it can. */
export function closedBecause(): string | undefined {
  const missing = missingScope("operator.admin");
  if (missing !== undefined) return text.needsScope(missing);
  if (!isLive.value) return text.noConnection;
  return isWorking.value ? text.working : undefined;
}

onOpened(() => {
  if (isRead.value) void loadChannels();
});
effect(() => {
  if (token.value !== undefined) return;
  people.value = undefined;
  devices.value = undefined;
  setup.value = undefined;
  tests.value = new Map();
  fault.value = undefined;
  isRead.value = false;
});
