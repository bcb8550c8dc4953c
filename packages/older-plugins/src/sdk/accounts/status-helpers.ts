type Fields = Readonly<Record<string, unknown>>;

/** Status of a running account. */
interface RuntimeState extends Fields {
  readonly running?: boolean | null;
  readonly lastStartAt?: number | null;
  readonly lastStopAt?: number | null;
  readonly lastError?: string | null;
}

/**
 * Returns the status of an account that does not run.
 * @param extra - further fields
 * @deprecated The host keeps the status of a `Channel`.
 */
export function createDefaultChannelRuntimeState<Extra extends Fields>(
  accountId: string,
  extra?: Extra,
) {
  return {
    accountId,
    running: false,
    lastStartAt: null,
    lastStopAt: null,
    lastError: null,
    ...extra,
  };
}

/**
 * Returns the status of a channel, with null for what is not known.
 * @param snapshot - status of its account
 * @param extra - further fields
 * @deprecated The host keeps the status of a `Channel`.
 */
export function buildBaseChannelStatusSummary(
  snapshot: RuntimeState & { readonly configured?: boolean | null },
  extra: Fields = {},
) {
  return { configured: snapshot.configured ?? false, ...extra, ...lifecycleOf(snapshot) };
}

/**
 * Returns the status of a channel that receives webhooks.
 * @param snapshot - status of its account
 * @param extra - further fields
 * @deprecated The host keeps the status of a `Channel`.
 */
export function buildWebhookChannelStatusSummary(
  snapshot: RuntimeState & { readonly configured?: boolean | null; readonly mode?: string | null },
  extra: Fields = {},
) {
  return {
    configured: snapshot.configured ?? false,
    mode: snapshot.mode ?? "webhook",
    ...extra,
    ...lifecycleOf(snapshot),
  };
}

/** Account with its status, for {@link buildComputedAccountStatusSnapshot}. */
export interface ComputedStatus {
  readonly accountId: string;
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly configured?: boolean | undefined;
  readonly extra?: Fields | undefined;
  readonly runtime?: RuntimeState | null | undefined;
  readonly probe?: unknown;
}

/**
 * Returns the status of an account.
 * @param status - account, status and the result of a check
 * @param extra - further fields
 * @deprecated The host keeps the status of a `Channel`.
 */
export function buildComputedAccountStatusSnapshot(status: ComputedStatus, extra: Fields = {}) {
  const { runtime, probe, extra: own, ...account } = status;
  return { ...account, ...lifecycleOf(runtime ?? {}), probe, ...own, ...extra };
}

/**
 * Creates the `status` adapter of a channel from a function that describes an account.
 * @param options - the function, and further members of the adapter
 * @deprecated Implement `healthCheck` of `Channel`.
 */
export function createComputedAccountStatusAdapter<Members extends object>(
  options: Members & {
    readonly resolveAccountSnapshot: (given: Fields) => Partial<ComputedStatus>;
  },
) {
  const { resolveAccountSnapshot, ...members } = options;
  return {
    ...members,
    buildAccountSnapshot: async (given: {
      readonly account?: unknown;
      readonly runtime?: RuntimeState | null;
      readonly probe?: unknown;
    }) => {
      const described = await resolveAccountSnapshot(given);
      const { accountId = "default", ...rest } = described;
      return buildComputedAccountStatusSnapshot({
        accountId,
        ...rest,
        runtime: given.runtime,
        probe: given.probe,
      });
    },
  };
}

function lifecycleOf({ running, lastStartAt, lastStopAt, lastError }: RuntimeState) {
  return {
    running: running ?? false,
    lastStartAt: lastStartAt ?? null,
    lastStopAt: lastStopAt ?? null,
    lastError: lastError ?? null,
  };
}
