/** Handles what people do with buttons and menus that the plugin sent to a channel (PLUG-056). */
export interface InteractiveHandler {
  /** The channel it is for, for example `telegram`. */
  channel: string;
  /** First part of the data of the plugin's own buttons. */
  namespace: string;
  /**
   * Handles one interaction.
   * @param interaction - as the channel describes it
   */
  handler(interaction: Readonly<Record<string, unknown>>): unknown;
}
