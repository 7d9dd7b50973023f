/** The lists of an import, each as a table. */
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { ImportView } from "#areas/imports/contract.ts";
import { StateTag, Table } from "#console/parts.tsx";

export type Import = z.output<typeof ImportView>;

interface List {
  columns: readonly string[];
  rows: (found: Import) => readonly (readonly Child[])[];
  empty: string;
}

/** A position in the source: `main.tf:12`. */
export function Place({ file, line }: { file: string; line?: number | null }): JSX.Element {
  return <code>{line === undefined || line === null ? file : `${file}:${line}`}</code>;
}

/** `7 whole, 1 left out`. */
export function mappedWords(mapped: number, partlyMapped: number, notMapped: number): string {
  return [
    [mapped, "whole"],
    [partlyMapped, "in part"],
    [notMapped, "left out"],
  ]
    .filter(([count]) => count !== 0)
    .map((one) => one.join(" "))
    .join(", ");
}

export const lists = {
  coverage: {
    columns: ["Type", "Module", "In the draft", "Why"],
    rows: ({ coverage }) =>
      coverage.map(({ type, module, mapped, partlyMapped, notMapped, reasons }) => [
        <strong>{type}</strong>,
        module,
        mappedWords(mapped, partlyMapped, notMapped),
        reasons.map((reason) => <p>{reason}</p>),
      ]),
    empty: "Nothing in it is of a format that drafts are made of.",
  },
  resources: {
    columns: ["Resource", "Module", "Cloud", "Place"],
    rows: ({ resources }) =>
      resources.map(({ address, type, mode, module, cloud, region, file, line, repeated }) => [
        <>
          <strong>{address}</strong> {!address.includes(type) && type}{" "}
          {mode === "data" && <span class="tag">data</span>}{" "}
          {repeated && <span class="tag">repeated</span>}
        </>,
        module,
        `${cloud ?? ""} ${region ?? ""}`,
        <Place file={file} line={line} />,
      ]),
    empty: "It has no resources.",
  },
  files: {
    columns: ["File", "Format", "State", "Bytes", "Has"],
    rows: ({ files }) =>
      files.map(({ path, format, state, reason, bytes, counts }) => [
        <Place file={path} />,
        format ?? "",
        <>
          <StateTag state={state} /> {reason !== null && <span class="soft">{words(reason)}</span>}
        </>,
        bytes,
        Object.entries(counts)
          .filter(([, count]) => count > 0)
          .map(([what, count]) => `${count} ${words(what)}`)
          .join(", "),
      ]),
    empty: "It has no files.",
  },
  modules: {
    columns: ["Module", "Format", "Backend", "Version needed"],
    rows: ({ modules }) =>
      modules.map(({ path, format, isRoot, backend, requiredVersion }) => [
        <>
          <strong>{path}</strong> {isRoot && <span class="tag">root</span>}
        </>,
        format,
        backend ?? "",
        requiredVersion ?? "",
      ]),
    empty: "It has no modules.",
  },
  moduleCalls: {
    columns: ["Call", "In the module", "Source", "Calls", "Place"],
    rows: ({ moduleCalls }) =>
      moduleCalls.map(({ name, module, source, version, target, repeated, file, line }) => [
        <>
          <strong>{name}</strong> {repeated && <span class="tag">repeated</span>}
        </>,
        module,
        `${source ?? ""} ${version ?? ""}`,
        target ?? <span class="soft">not in the import</span>,
        <Place file={file} line={line} />,
      ]),
    empty: "No module calls another.",
  },
  variables: {
    columns: ["Variable", "Module", "Type", "Default", "Description", "Place"],
    rows: ({ variables }) =>
      variables.map(
        ({ name, module, type, sensitive, required, description, file, line, ...rest }) => [
          <>
            <strong>{name}</strong> {sensitive && <span class="tag">secret</span>}{" "}
            {required && <span class="tag">required</span>}
          </>,
          module,
          type ?? "",
          rest.default === null ? "" : <code>{String(rest.default)}</code>,
          description ?? "",
          <Place file={file} line={line} />,
        ],
      ),
    empty: "It has no variables.",
  },
  outputs: {
    columns: ["Output", "Module", "Description", "Place"],
    rows: ({ outputs }) =>
      outputs.map(({ name, module, sensitive, description, file, line }) => [
        <>
          <strong>{name}</strong> {sensitive && <span class="tag">secret</span>}
        </>,
        module,
        description ?? "",
        <Place file={file} line={line} />,
      ]),
    empty: "It has no outputs.",
  },
  providers: {
    columns: ["Provider", "Module", "Source", "Versions", "Cloud"],
    rows: ({ providers }) =>
      providers.map(({ name, module, source, constraints, aliases, cloud }) => [
        <>
          <strong>{name}</strong>{" "}
          {aliases.length > 0 && <span class="soft">also {aliases.join(", ")}</span>}
        </>,
        module,
        source ?? "",
        constraints ?? "",
        cloud ?? "",
      ]),
    empty: "It names no providers.",
  },
  findings: {
    columns: ["Finding", "Severity", "Resource", "Place"],
    rows: ({ report }) =>
      (report?.findings ?? []).map((finding) => [
        <>
          {textOf(finding["message"])} <code>{textOf(finding["rule"])}</code>
        </>,
        finding["severity"] !== null && <StateTag state={textOf(finding["severity"])} />,
        textOf(finding["resource"]),
        typeof finding["file"] === "string" && (
          <Place file={finding["file"]} line={finding["line"] as number | null} />
        ),
      ]),
    empty: "No report of another tool was sent with it, or it found nothing.",
  },
  warnings: {
    columns: ["Warning", "Severity", "Place"],
    rows: ({ warnings }) =>
      warnings.map(({ message, code, severity, file, line, column }) => [
        <>
          {message} <code>{code}</code>
        </>,
        <StateTag state={severity} />,
        file !== null && (
          <>
            <Place file={file} line={line} />
            {column !== null && <span class="soft"> column {column}</span>}
          </>
        ),
      ]),
    empty: "There are none.",
  },
} satisfies Record<string, List>;

export type ListedPart = keyof typeof lists;

export function ImportList({ found, part }: { found: Import; part: ListedPart }): JSX.Element {
  const { columns, rows, empty } = lists[part];
  const shown = rows(found);
  if (shown.length === 0) return <p class="soft">{empty}</p>;
  return <Table columns={columns} rows={shown} />;
}

/** Converts `unsupported_format` and `moduleCalls` to words. */
function words(name: string): string {
  return name.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A value of a report as text. Other tools wrote the report, so any value may have another type. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
