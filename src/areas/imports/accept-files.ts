import { base64 } from "oslo/encoding";
import { digestBytesHex } from "#platform/crypto/digest.ts";
import { isJsonMap } from "#platform/json.ts";
import { importLimits } from "./contract.ts";

const MAX_PATH_LENGTH = 1024;

/** A file of the request, checked but not yet parsed. */
export type AcceptedFile =
  | {
      ok: true;
      path: string;
      bytes: number;
      sha256: string;
      text: string;
      format: string | undefined;
    }
  | { ok: false; path: string; bytes: number; reason: FileProblem; message: string };

type FileProblem =
  | "invalid_file"
  | "invalid_path"
  | "duplicate_path"
  | "invalid_encoding"
  | "file_too_large";

export interface AcceptedFiles {
  files: AcceptedFile[];
  /** The files together exceed the limit of an import: none of them is parsed. */
  tooLarge: boolean;
}

/** Checks each file separately, in order: an invalid file does not affect the others. */
export async function acceptFiles(given: readonly unknown[]): Promise<AcceptedFiles> {
  const seen: SeenPaths = { files: new Set(), folders: new Set() };
  const files: AcceptedFile[] = [];
  let totalBytes = 0;
  for (const [at, item] of given.entries()) {
    const file = await acceptFile(item, at, seen);
    totalBytes += file.bytes;
    files.push(file);
  }
  return { files, tooLarge: totalBytes > importLimits.totalBytes };
}

interface SeenPaths {
  files: Set<string>;
  folders: Set<string>;
}

async function acceptFile(item: unknown, at: number, seen: SeenPaths): Promise<AcceptedFile> {
  const refuse = (path: string, reason: FileProblem, message: string, bytes = 0): AcceptedFile => ({
    ok: false,
    path,
    bytes,
    reason,
    message,
  });
  const unnamed = `files[${at}]`;
  if (!isJsonMap(item))
    return refuse(unnamed, "invalid_file", "The file must be an object with `path` and `content`.");
  const given = item["path"] ?? item["name"];
  if (typeof given !== "string")
    return refuse(unnamed, "invalid_file", "The file needs a `path`, as a text.");
  const problem = pathProblem(given);
  if (problem !== undefined) return refuse(shownPath(given, unnamed), "invalid_path", problem);
  const path = given.replace(/^(\.\/)+/, "");
  if (seen.files.has(path))
    return refuse(
      path,
      "duplicate_path",
      "An earlier file has the same path; this one is ignored.",
    );
  const folders = foldersOf(path);
  if (seen.folders.has(path) || folders.some((folder) => seen.files.has(folder)))
    return refuse(path, "invalid_path", "A path of the import is both a file and a folder.");
  seen.files.add(path);
  for (const folder of folders) seen.folders.add(folder);
  const { content, encoding = "utf-8", format } = item;
  if (typeof content !== "string")
    return refuse(path, "invalid_file", "The file needs a `content`, as a text.");
  if (encoding !== "utf-8" && encoding !== "base64")
    return refuse(path, "invalid_encoding", "`encoding` must be utf-8 or base64.");
  const bytes = encoding === "base64" ? decodeBase64(content) : new TextEncoder().encode(content);
  if (bytes === undefined)
    return refuse(path, "invalid_encoding", "The content is not valid base64.");
  const size = bytes.length;
  if (size > importLimits.fileBytes)
    return refuse(
      path,
      "file_too_large",
      `The file is larger than ${importLimits.fileBytes} bytes, the maximum.`,
      size,
    );
  const text = encoding === "base64" ? decodeUtf8(bytes) : content;
  if (text === undefined)
    return refuse(path, "invalid_encoding", "The content is not UTF-8 text.", size);
  return {
    ok: true,
    path,
    bytes: size,
    sha256: await digestBytesHex(bytes),
    text,
    format: typeof format === "string" ? format : undefined,
  };
}

/** All folders that the path is in. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
    folders.push(path.slice(0, at));
  return folders;
}

function pathProblem(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH)
    return `The path is longer than ${MAX_PATH_LENGTH} characters.`;
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f\\]/.test(path))
    return "The path must not contain control characters or backslashes.";
  if (path.startsWith("/")) return "The path must be relative: it starts with a slash.";
  const parts = path.replace(/^(\.\/)+/, "").split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".."))
    return "The path must not contain empty parts, `.` or `..`.";
  return undefined;
}

/** A rejected path made safe to show; its place in the list if it is empty. */
function shownPath(path: string, unnamed: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  const text = path.slice(0, 200).replace(/[\x00-\x1f\x7f]/g, "?");
  return text === "" ? unnamed : text.toWellFormed();
}

function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text.replace(/\s+/g, ""), { strict: false });
  } catch {
    return undefined;
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}
