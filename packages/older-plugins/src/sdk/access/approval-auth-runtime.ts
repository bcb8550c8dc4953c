type Config = Readonly<Record<string, unknown>>;
type Approver = string | number;

/**
 * Returns the approvers of a channel: the named people, else the entries of the access list.
 * @param lists - named people, access lists, and the function that spells an ID
 * @deprecated The owners of a channel approve, `channels.<channel>.owners`.
 */
export function resolveApprovalApprovers(lists: {
  readonly explicit?: readonly Approver[] | null;
  readonly allowFrom?: readonly Approver[] | null;
  readonly extraAllowFrom?: readonly Approver[] | null;
  readonly defaultTo?: string | null;
  readonly normalizeApprover: (value: Approver) => string | undefined;
  readonly normalizeDefaultTo?: (value: string) => string | undefined;
}): string[] {
  const { normalizeApprover, defaultTo, normalizeDefaultTo = normalizeApprover } = lists;
  const spelled = (values: readonly Approver[]) =>
    values.flatMap((value) => normalizeApprover(value) ?? []);
  const named = spelled(lists.explicit ?? []);
  if (named.length > 0) return [...new Set(named)];
  const target = defaultTo?.trim() ? normalizeDefaultTo(defaultTo.trim()) : undefined;
  const listed = spelled([...(lists.allowFrom ?? []), ...(lists.extraAllowFrom ?? [])]);
  return [...new Set([...listed, ...(target === undefined ? [] : [target])])];
}

/**
 * Creates the adapter that decides who approves calls on a channel. The host asks its owners instead; the adapter is
 * for the plugin's own decisions.
 * @param options - name of the channel, and the people who approve
 * @deprecated The owners of a channel approve, `channels.<channel>.owners`.
 */
export function createResolvedApproverActionAuthAdapter(options: {
  readonly channelLabel: string;
  readonly resolveApprovers: (place: {
    readonly cfg: Config;
    readonly accountId?: string | null;
  }) => readonly string[];
  readonly normalizeSenderId?: (value: string) => string | undefined;
}) {
  const { channelLabel, resolveApprovers, normalizeSenderId = (id) => id.trim() } = options;
  return {
    authorizeActorAction(request: {
      readonly cfg: Config;
      readonly accountId?: string | null;
      readonly senderId?: string | null;
      readonly approvalKind?: string;
    }): { readonly authorized: boolean; readonly reason?: string } {
      const { cfg, accountId = null, senderId, approvalKind = "exec" } = request;
      const approvers = resolveApprovers({ cfg, accountId });
      if (approvers.length === 0) return { authorized: true };
      const sender = senderId ? normalizeSenderId(senderId) : undefined;
      if (sender !== undefined && approvers.includes(sender)) return { authorized: true };
      const reason = `you may not approve ${approvalKind} requests on ${channelLabel}; ask one of its approvers`;
      return { authorized: false, reason };
    },
  };
}
