/** The clouds' guides, each pasted from its first command to its last against its fake cloud. */
import { afterEach, describe, expect, it } from "vitest";
import { longScenes } from "./long-scenes.ts";
import { type Guide, PastedGuide, printedAs } from "./pasted-guide.ts";

interface Pasted extends Guide {
  scene: (typeof longScenes)[number];
  /** Deployments that change something, before the destroy. */
  deploys: number;
  /** What the fake cloud prints of the change, if the guide makes one. */
  changes?: RegExp;
  /** What the shell prints besides. */
  prints?: readonly string[];
  /** Objects that the example makes, at least. */
  creates: number;
  /** Of these, what the cloud takes away with another one. */
  goAlong?: number;
}

const inPlaceOf = (endpoints: string, credential?: string): NonNullable<Guide["fill"]> => {
  return (commands, { fake }) => {
    if (commands.includes("npm start"))
      return commands.replace(endpoints, () => printedAs("PROVIDER_ENDPOINTS", fake));
    return credential === undefined
      ? commands
      : commands.replace("SECRET_VALUE='…'", () => `SECRET_VALUE='${printedAs(credential, fake)}'`);
  };
};

const guides: readonly Pasted[] = [
  {
    scene: "DigitalOcean's guide pasted",
    file: "docs/guides/digitalocean.md",
    deploys: 2,
    changes: /^update shop-database \(PUT \S+\/resize\)$/m,
    prints: ["databaseUri: '[secret]'"],
    creates: 10,
  },
  {
    scene: "AWS's guide pasted",
    file: "docs/guides/aws.md",
    deploys: 2,
    changes: /^update AWS::ECS::Service /m,
    prints: ["zone: '[secret]'"],
    creates: 27,
  },
  {
    scene: "federation pasted",
    file: "docs/federation.md",
    section: "Try it on this machine",
    fill: (commands, { shell }) => {
      const subject = /^tenant:[\w-]+:target:[\w-]+$/m.exec(shell)?.[0];
      return commands.replace("'…'", `'${subject ?? ""}'`);
    },
    deploys: 1,
    prints: ['"ok":false', "TRUST_SUBJECT"],
    creates: 27,
  },
  {
    scene: "Azure's guide pasted",
    file: "docs/guides/azure.md",
    deploys: 1,
    creates: 13,
    // The vault's secret, which Azure's management API cannot delete.
    goAlong: 1,
  },
  {
    scene: "Google Cloud's guide pasted",
    file: "docs/guides/gcp.md",
    fill: inPlaceOf('{"gcp":{…}}', "Key file"),
    deploys: 2,
    changes: /^update .*\(PATCH sqladmin/m,
    creates: 16,
  },
  {
    scene: "Oracle Cloud's guide pasted",
    file: "docs/guides/oci.md",
    fill: inPlaceOf('{"oci":{…}}', "API key"),
    deploys: 2,
    changes: /^update .*\(PUT psql/m,
    creates: 9,
  },
  {
    scene: "Vultr's guide pasted",
    file: "docs/guides/vultr.md",
    deploys: 2,
    changes: /^update /m,
    creates: 8,
  },
  {
    scene: "Magalu's guide pasted",
    file: "docs/guides/magalu.md",
    deploys: 2,
    changes: /^update /m,
    creates: 5,
  },
  {
    scene: "Render's guide pasted",
    file: "docs/guides/render.md",
    deploys: 2,
    changes: /^update /m,
    creates: 5,
  },
  {
    scene: "Vercel's guide pasted",
    file: "docs/guides/vercel.md",
    deploys: 2,
    creates: 7,
    // The token of the edge config, which a change of that takes away.
    goAlong: 1,
  },
  {
    scene: "Supabase's guide pasted",
    file: "docs/guides/supabase.md",
    deploys: 2,
    changes: /^update /m,
    creates: 3,
  },
  {
    scene: "CoreWeave's guide pasted",
    file: "docs/guides/coreweave.md",
    deploys: 2,
    changes: /^update /m,
    creates: 5,
  },
  {
    scene: "Terraform imported, pasted",
    file: "docs/guides/import-terraform.md",
    deploys: 1,
    prints: ["COMPLETED", "database_uri: '[secret]'"],
    creates: 7,
  },
];

let pasted: PastedGuide | undefined;

afterEach(async () => {
  await pasted?.close();
});

describe.for(guides)(
  "$file",
  ({ scene, deploys, changes, prints = [], creates, goAlong = 0, ...guide }) => {
    it.runIf(longScenes.includes(scene))(
      "works when it is pasted",
      { timeout: 400_000 },
      async () => {
        pasted = await PastedGuide.prepare(guide);
        await pasted.paste();
        const { printed, fake } = pasted;
        expect(pasted.errors).toBe("");
        expect(printed).toContain('"ok":true');
        expect(printed.match(/Succeeded\./g)).toHaveLength(deploys);
        expect(printed.match(/Destroyed\./g)).toHaveLength(1);
        for (const text of prints) expect(printed).toContain(text);
        // What the fake cloud prints: everything that was made is gone, and it refused nothing.
        if (changes !== undefined) expect(fake.output).toMatch(changes);
        const count = (verb: string) =>
          fake.output.match(new RegExp(`^${verb} `, "gm"))?.length ?? 0;
        expect(count("create")).toBeGreaterThanOrEqual(creates);
        expect(count("delete")).toBe(count("create") - goAlong);
        expect(fake.errors).not.toMatch(/not as described/i);
      },
    );
  },
);
