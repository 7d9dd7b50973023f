/** Reads the files of an import, and says which it leaves out and why. Nothing is sent. */
import { type Caution, cautionOf } from "./caution.ts";
import type { Found } from "./find-files.ts";

/** The names of the files of all formats (docs/imports.md), and of most files that Terraform reads. */
const readableName =
  /\.(?:tf|tofu|tfvars|tfstate|jsonc?|ya?ml|template|cfn|cform|stack|bicep|tpl|tftpl|tmpl|sh|ps1|conf|cfg|service|sql|txt|pub)$|\.tfstate\.(?:[\w-]+\.)?backup$|(?:^|\/)Kustomization$/i;

export interface ImportLimits {
  files: number;
  fileBytes: number;
  totalBytes: number;
}

export interface ReadFile {
  path: string;
  text: string;
  bytes: number;
  caution: Caution | undefined;
}

/** The reasons to leave a file out: its name, its size, no text in UTF-8, or a fault of the browser. */
export type LeftReason = "kind" | "size" | "binary" | "unreadable";

export interface ReadFiles {
  files: readonly ReadFile[];
  left: Readonly<Record<LeftReason, readonly string[]>>;
  /** The exceeded limit. Not all files were read then. */
  excess: "files" | "bytes" | undefined;
  folders: readonly string[];
  isCut: boolean;
}

export interface ReadOptions {
  /** Whether to read files of every name. */
  everyKind: boolean;
  progress: (at: number, of: number) => void;
  /** Reading stops when it is false. */
  isWanted: () => boolean;
}

export async function readFiles(
  found: Found,
  limits: ImportLimits,
  { everyKind, progress, isWanted }: ReadOptions,
): Promise<ReadFiles> {
  const left: Record<LeftReason, string[]> = { kind: [], size: [], binary: [], unreadable: [] };
  const wanted = found.files
    .filter(({ path, file }) => {
      const reason = reasonToLeave(path, file, limits, everyKind);
      if (reason !== undefined) left[reason].push(path);
      return reason === undefined;
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files: ReadFile[] = [];
  let bytes = 0;
  const excess = () =>
    files.length > limits.files ? "files" : bytes > limits.totalBytes ? "bytes" : undefined;
  for (const [at, { path, file }] of wanted.entries()) {
    if (!isWanted()) break;
    if (at % 50 === 0) progress(at, wanted.length);
    const content = await file.arrayBuffer().catch(() => undefined);
    const text = content && textOf(content);
    if (content === undefined || text === undefined) {
      left[content === undefined ? "unreadable" : "binary"].push(path);
      continue;
    }
    bytes += content.byteLength;
    files.push({ path, text, bytes: content.byteLength, caution: cautionOf(path, text) });
    if (excess() !== undefined) break;
  }
  return { files, left, excess: excess(), folders: found.folders, isCut: found.isCut };
}

function reasonToLeave(
  path: string,
  { size }: File,
  { fileBytes }: ImportLimits,
  everyKind: boolean,
): LeftReason | undefined {
  if (!everyKind && !readableName.test(path)) return "kind";
  return size > fileBytes ? "size" : undefined;
}

/** Undefined: it is not text. A byte order mark stays, so that the service sees the file unchanged. */
function textOf(content: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
