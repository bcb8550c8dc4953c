/** Tables of the channels context. Times are milliseconds since the epoch. */
export interface ChannelSchema {
  channel_senders: ChannelSenderColumns;
  channel_pairings: ChannelPairingColumns;
  channel_pairing_failures: ChannelPairingFailureColumns;
}

export interface ChannelSenderColumns {
  channel: string;
  account_id: string;
  sender_id: string;
  user_name: string | null;
  added_at: number;
  added_by: string;
}

export interface ChannelPairingColumns {
  channel: string;
  account_id: string;
  sender_id: string;
  user_name: string | null;
  code: string;
  requested_at: number;
  expires_at: number;
}

export interface ChannelPairingFailureColumns {
  channel: string;
  window_start: number;
  failures: number;
}
