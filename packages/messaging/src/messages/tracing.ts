import { type TraceChannel, traceChannel } from "@openclaw/foundation";

/** Traces messages and replies on their channels, as the tracing channel `openclaw:channel` (GW-049). */
export const channelTrace: TraceChannel<
  {
    readonly direction: "inbound" | "outbound";
    /** Name of the channel, for example `terminal` or `api`. */
    readonly channel: string;
    /** Absent for a message that is not stored yet. */
    readonly messageId: string | undefined;
  },
  { readonly outcome: string; readonly messageId?: string | undefined }
> = traceChannel("openclaw:channel");
