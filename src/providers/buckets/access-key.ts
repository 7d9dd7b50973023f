import * as z from "zod";

/** An access key of object storage, in a credential. */
export function accessKeySchema() {
  const text = z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, { error: "must be a part of an access key" });
  return z.strictObject({ accessKeyId: text, secretAccessKey: text });
}
