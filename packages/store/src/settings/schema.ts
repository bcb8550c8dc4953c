/** Tables of the settings context. Times are milliseconds since the epoch. */
export interface SettingSchema {
  settings: SettingColumns;
}

export interface SettingColumns {
  /** Keys from the root of the configuration, as a JSON list. */
  path: string;
  /** JSON value. */
  value: string;
  source: string;
  updated_at: number;
}
