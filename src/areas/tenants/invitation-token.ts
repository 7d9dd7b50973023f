import { base64url } from "oslo/encoding";

export const invitationTokenShape = /^cpi_[A-Za-z0-9_-]{43}$/;

/** 256 random bits. */
export function newInvitationToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `cpi_${base64url.encode(bytes, { includePadding: false })}`;
}
