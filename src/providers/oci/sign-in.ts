/** What signs requests: the API key of a user. */
import * as z from "zod";
import type { ProviderContext } from "#providers/provider.ts";
import type { TransportRequest } from "#providers/transport.ts";
import { privateKey } from "./private-key.ts";
import { signRequest } from "./sign-request.ts";

const ocid = (kind: string) =>
  z.string().regex(new RegExp(`^ocid1\\.${kind}\\.[a-z0-9]{1,10}\\.[\\w.-]{1,200}$`), {
    error: `must be an OCID of the right kind`,
  });

/** An API key, as Oracle's configuration file has it. */
export function ociCredential() {
  return z.strictObject({
    tenancyId: ocid("tenancy"),
    userId: ocid("user"),
    fingerprint: z.string().regex(/^[0-9a-f]{2}(?::[0-9a-f]{2}){15}$/, {
      error: "must be the fingerprint of the API key, 16 pairs of digits a-f and 0-9",
    }),
    privateKey: z.string().min(1).max(20_000),
  });
}

export function ociConfig() {
  return z.object({
    /** Of objects that name none; absent in a target that is not ready yet. */
    compartmentId: ocid("(?:compartment|tenancy)").optional(),
  });
}

/** The headers that sign the request. Throws in words that have nothing of the key. */
export async function authorize(
  request: TransportRequest,
  { credential, now }: ProviderContext,
): Promise<Record<string, string>> {
  const { tenancyId, userId, fingerprint, privateKey: pem } = ociCredential().parse(credential);
  const keyId = `${tenancyId}/${userId}/${fingerprint}`;
  return signRequest(request, { key: await privateKey(pem), keyId }, now());
}
