import { ApiError } from "#kernel/errors.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { describeError, log } from "#platform/log.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";

interface BuiltFile {
  text: string;
  etag: string;
}

/** Values, not promises: the promise of a request that ended never settles. */
const kept = new Map<string, BuiltFile>();

/**
 * A file of the API reference, which the build makes (docs/decisions/0071). It is read from the static assets once per
 * isolate. Throws `unavailable` if it cannot be read. `file` must be a name of the build's, never a caller's text.
 */
export async function builtFile(assets: Assets, file: string): Promise<BuiltFile> {
  const known = kept.get(file);
  if (known !== undefined) return known;
  const text = await textOf(file, assets);
  const read = { text, etag: `"${(await digestHex(text)).slice(0, 32)}"` };
  kept.set(file, read);
  return read;
}

async function textOf(file: string, assets: Assets): Promise<string> {
  try {
    // Only the path counts; the host does not exist.
    const response = await assets.fetch(`https://assets.invalid/${file}`);
    if (!response.ok) throw new Error(`The asset ${file} was answered with ${response.status}`);
    return await response.text();
  } catch (error) {
    log("error", "The API reference could not be read", { error: describeError(error) });
    throw new ApiError("unavailable", "The API reference could not be read. Repeat the request.", {
      cause: error,
    });
  }
}
