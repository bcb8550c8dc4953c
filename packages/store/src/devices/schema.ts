/** Tables of the devices context. Times are milliseconds since the epoch. */
export interface DeviceSchema {
  devices: DeviceColumns;
}

export interface DeviceColumns {
  device_id: string;
  public_key: string;
  name: string;
  state: string;
  /** Set while the device waits. */
  code: string | null;
  scopes: string;
  network: string;
  address: string;
  requested_at: number;
  /** Set while the device waits or is rejected; it is then forgotten. */
  expires_at: number | null;
  decided_at: number | null;
  decided_by: string | null;
  last_seen_at: number | null;
}
