/** The files that a person chose or dropped, without the folders that no import reads. Nothing is read or sent. */

const skippedFolders = new Set([".git", ".terraform", ".terragrunt-cache", "node_modules"]);
/** A folder with more files is not a project's. */
const MAX_FOUND = 20_000;

export interface FoundFile {
  path: string;
  file: File;
}

export interface Found {
  files: readonly FoundFile[];
  /** The paths of the skipped folders. */
  folders: readonly string[];
  /** Whether there are more files than `MAX_FOUND`. */
  isCut: boolean;
}

/** Dropped files, and folders with everything in them. */
export async function droppedFiles({ items }: DataTransfer): Promise<Found> {
  // The items are gone once the event is over.
  const dropped = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: Walk = { files: [], folders: [], isCut: false };
  for (const entry of dropped) await walk(entry, entry.name, found);
  return withoutRoot(found);
}

interface Walk {
  files: FoundFile[];
  folders: string[];
  isCut: boolean;
}

async function walk(entry: FileSystemEntry, path: string, found: Walk): Promise<void> {
  if (found.files.length >= MAX_FOUND) {
    found.isCut = true;
  } else if (isFile(entry)) {
    const file = await new Promise<File>((take, fail) => entry.file(take, fail));
    found.files.push({ path, file });
  } else if (skippedFolders.has(entry.name)) {
    found.folders.push(path);
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    for (;;) {
      // It gives a hundred at a time, and none at the end.
      const some = await new Promise<FileSystemEntry[]>((take, fail) =>
        reader.readEntries(take, fail),
      );
      if (some.length === 0) return;
      for (const one of some) await walk(one, `${path}/${one.name}`, found);
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** The files of an input, which may be those of a folder. */
export function chosenFiles(list: Iterable<File>): Found {
  const folders = new Set<string>();
  const files: FoundFile[] = [];
  for (const file of list) {
    const path = file.webkitRelativePath || file.name;
    const names = path.split("/");
    const at = names.slice(0, -1).findIndex((name) => skippedFolders.has(name));
    if (at === -1) files.push({ path, file });
    else folders.add(names.slice(0, at + 1).join("/"));
  }
  const isCut = files.length > MAX_FOUND;
  return withoutRoot({ files: files.slice(0, MAX_FOUND), folders: [...folders], isCut });
}

/** The paths of a single folder start in it: it is the root of the project. */
function withoutRoot(found: Found): Found {
  const [root = ""] = found.files[0]?.path.split("/") ?? [];
  if (!found.files.every(({ path }) => path.startsWith(`${root}/`))) return found;
  const files = found.files.map(({ path, file }) => ({ path: path.slice(root.length + 1), file }));
  return { ...found, files };
}
