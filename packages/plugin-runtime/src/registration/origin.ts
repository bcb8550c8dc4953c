/** Plugin and file of a registration. */
export interface RegistrationOrigin {
  readonly pluginId: string;
  readonly source: string;
}
