/** Who registered something, and in which file. */
export interface RegistrationOrigin {
  readonly pluginId: string;
  readonly source: string;
}
