/** Times of the last messages of an account, in milliseconds since the epoch. */
interface Activity {
  inboundAt: number | null;
  outboundAt: number | null;
}

/** Creates `runtime.channel.activity`, which keeps the times of the last messages for the status of the plugin. */
export function createActivityGroup() {
  const accounts = new Map<string, Activity>();
  const of = (channel: string, accountId: string | null | undefined): Activity => {
    const key = JSON.stringify([channel, accountId ?? "default"]);
    const found = accounts.get(key) ?? { inboundAt: null, outboundAt: null };
    accounts.set(key, found);
    return found;
  };
  return {
    record(event: {
      readonly channel: string;
      readonly accountId?: string | null;
      readonly direction: "inbound" | "outbound";
      readonly at?: number;
    }): void {
      const activity = of(event.channel, event.accountId);
      const at = event.at ?? Date.now();
      if (event.direction === "inbound") activity.inboundAt = at;
      else activity.outboundAt = at;
    },
    get: ({
      channel,
      accountId,
    }: {
      readonly channel: string;
      readonly accountId?: string | null;
    }) => ({
      ...of(channel, accountId),
    }),
  };
}
