import type { Member } from "#importers/expression.ts";
import { failureCode } from "#importers/failure-code.ts";
import { folderOf, type ImportFile } from "#importers/import-file.ts";
import type { FileVerdict, FormatParserOf } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { workOf } from "#importers/import-work.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { labelsOfBlock } from "./block-types.ts";
import { CallingFolders } from "./files/calling-folders.ts";
import { FileCalls } from "./files/file-calls.ts";
import type { TemplateData } from "./files/file-path.ts";
import { type HclBlock, valueOf } from "./hcl-block.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { checkHcl, loadHcl } from "./load-hcl.ts";
import { loadTerraformJson } from "./load-terraform-json.ts";
import { withOverrides } from "./override-blocks.ts";
import { placeModules } from "./place-modules.ts";
import { readModule, type UnplacedModule } from "./read-module.ts";
import { hiddenByTofu, terraformFile } from "./terraform-file.ts";

/** The blocks of a file that go into its folder's module. */
interface FileBlocks {
  isOverride: boolean;
  blocks: readonly HclBlock[];
}

/** Parses files of Terraform and OpenTofu. A folder is a module. */
export const terraformParser: FormatParserOf = (files, log, all) => {
  const hidden = hiddenByTofu(files);
  const verdicts = new Map<string, FileVerdict>();
  const loaded = new Map<string, FileBlocks>();
  const read = (file: ImportFile): FileVerdict => {
    const { path } = file;
    const { syntax, kind } = terraformFile(path) ?? { syntax: "hcl", kind: "blocks" };
    if (hidden.has(path)) return skip(path, log);
    if (kind === "values") return checkValues(file, syntax, log);
    const found = syntax === "json" ? loadTerraformJson(file, log) : loadHcl(file, log);
    if (found === undefined) return failed(path, log);
    const blocks = found.filter((block) => isUsable(block, log));
    loaded.set(path, { isOverride: kind === "override", blocks });
    return { path, state: "PARSED", counts: countsOf(found) };
  };
  return {
    read: (file) => {
      verdicts.set(file.path, read(file));
    },
    finish: () => ({
      verdicts: files.flatMap(({ path }) => verdicts.get(path) ?? []),
      modules: placeModules(modulesOf(files, loaded, log, new FileCalls(all, workOf(log))), log),
    }),
  };
};

function modulesOf(
  files: readonly ImportFile[],
  loaded: ReadonlyMap<string, FileBlocks>,
  log: ImportLog,
  calls: FileCalls,
): UnplacedModule[] {
  const read = files.flatMap(({ path }) => {
    const blocks = loaded.get(path);
    return blocks === undefined ? [] : { path, ...blocks };
  });
  const folders = [...Map.groupBy(read, ({ path }) => folderOf(path))].map(
    ([folder, own]): [string, readonly HclBlock[]] => {
      const blocks = own.flatMap((one) => (one.isOverride ? [] : one.blocks));
      // Terraform merges overrides in the order of names.
      const overrides = own
        .filter(({ isOverride }) => isOverride)
        .toSorted((a, b) => (a.path < b.path ? -1 : 1))
        .flatMap((one) => one.blocks);
      return [folder, withOverrides(blocks, overrides, log)];
    },
  );
  const callers = new CallingFolders(new Map(folders));
  return folders.map(([folder, blocks]) => {
    const locals = localsIn(blocks);
    const templates = templatesIn(blocks);
    const place = { folder, locals, templates, roots: () => callers.rootsOf(folder) };
    for (const { members } of blocks)
      for (const [name, member] of members)
        members.set(name, { ...member, value: calls.resolved(member.value, place) });
    for (const block of blocks) hideSecrets(block);
    return readModule(folder, blocks, log);
  });
}

/** As the source has them. Of two with one name, the first counts. */
function localsIn(blocks: readonly HclBlock[]): ReadonlyMap<string, Member> {
  const found = new Map<string, Member>();
  for (const { type, members } of blocks)
    for (const [name, member] of type === "locals" ? members : [])
      if (!found.has(name)) found.set(name, member);
  return found;
}

/** Those without repetition. Members of an old block `vars` are values too. */
function templatesIn(blocks: readonly HclBlock[]): ReadonlyMap<string, TemplateData> {
  const found = new Map<string, TemplateData>();
  for (const block of blocks) {
    const [kind, name] = block.labels;
    const template = valueOf(block, "template");
    const isRepeated = block.members.has("count") || block.members.has("for_each");
    if (block.type !== "data" || kind !== "template_file" || isRepeated) continue;
    if (name === undefined || template === undefined || found.has(name)) continue;
    const vars = valueOf(block, "vars") ?? { kind: "object", members: [] };
    found.set(name, { template, vars });
  }
  return found;
}

function skip(path: string, log: ImportLog): FileVerdict {
  const reason = "hidden_by_tofu";
  const message = "OpenTofu reads the file of the same name that ends with `.tofu` instead.";
  log.add("info", reason, message, { file: path });
  return { path, state: "SKIPPED", reason, counts: {} };
}

function failed(path: string, log: ImportLog): FileVerdict {
  return { path, state: "FAILED", reason: failureCode(log, path), counts: {} };
}

/** Values of variables may be secrets, so only the errors of such a file are reported. */
function checkValues(file: ImportFile, syntax: "hcl" | "json", log: ImportLog): FileVerdict {
  const isRead = syntax === "hcl" ? checkHcl(file, log) : loadJson(file, log) !== undefined;
  if (!isRead) return failed(file.path, log);
  const message = "A draft has none of these values: set them as variables of the instance.";
  log.add("info", "values_left_out", message, { file: file.path });
  return { path: file.path, state: "PARSED", counts: {} };
}

function countsOf(blocks: readonly HclBlock[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of blocks)
    if (labelsOfBlock.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function isUsable({ type, labels, file, line }: HclBlock, log: ImportLog): boolean {
  const wanted = labelsOfBlock.get(type);
  if (wanted === labels.length) return true;
  // The message does not name the type, which may be a word of an unclosed text.
  if (wanted === undefined)
    log.add("warning", "unknown_block", "Terraform has no block of this type; it was left out.", {
      file,
      line,
    });
  else
    log.add(
      "warning",
      "wrong_labels",
      `A block \`${type}\` has ${wanted === 0 ? "no labels" : wanted === 1 ? "one label" : `${wanted} labels`}, this one has ${labels.length}; it was left out.`,
      { file, line },
    );
  return false;
}
