/** What accounts lack for a template, as their clouds say it. */
import { beforeEach, describe, expect, it } from "vitest";
import { FakeAws } from "#test/providers/aws/fake-aws.ts";
import { ArmCloud, REGION, SUBSCRIPTION } from "#test/providers/azure/arm-cloud.ts";
import { GoogleCloud } from "#test/providers/gcp/google-cloud.ts";
import { awsProvider } from "./aws/aws-provider.ts";
import { azureProvider } from "./azure/azure-provider.ts";
import { gcpProvider } from "./gcp/gcp-provider.ts";
import { sessions } from "./rest/requests/session.ts";

const aws = awsProvider();

/** One of each type. */
function objectsOf(types: readonly string[]): ReadonlyMap<string, number> {
  return new Map(types.map((type) => [type, 1]));
}

beforeEach(() => sessions.clear());

describe("an account at AWS", () => {
  const types = [
    "AWS::ECS::Cluster",
    "AWS::ECS::Service",
    "AWS::RDS::DBInstance",
    "AWS::SQS::Queue",
  ];

  it("lacks the roles of AWS's own that these types need, each once", async () => {
    const cloud = new FakeAws(new Map());
    cloud.roles?.add("AWSServiceRoleForRDS");
    expect(await aws.needs?.(cloud.context(), objectsOf(types))).toEqual({
      lacks: [
        {
          what: "The account has no role AWSServiceRoleForECS. Most services create their role at the first use, with the permission iam:CreateServiceLinkedRole. The first deployment can fail before the role is ready.",
          fix: "aws iam create-service-linked-role --aws-service-name ecs.amazonaws.com",
          types: ["AWS::ECS::Cluster", "AWS::ECS::Service"],
        },
      ],
      unread: [],
    });
  });

  it("is asked in its own partition", async () => {
    const cloud = new FakeAws(new Map());
    await aws.needs?.(cloud.context({ region: "us-gov-east-1" }), objectsOf(types));
    await aws.needs?.(cloud.context({ region: "cn-northwest-1" }), objectsOf(types));
    expect(new Set(cloud.requests.map(({ url }) => url))).toEqual(
      new Set(["https://iam.us-gov.amazonaws.com/", "https://iam.cn-north-1.amazonaws.com.cn/"]),
    );
  });

  it("says once that nobody may ask", async () => {
    const cloud = new FakeAws(new Map());
    cloud.roles = undefined;
    const needs = await aws.needs?.(cloud.context(), objectsOf(types));
    expect(needs).toMatchObject({ lacks: [], unread: [expect.stringContaining("iam:GetRole")] });
    expect(cloud.requests).toHaveLength(1);
  });

  it("is asked nothing for types that need nothing", async () => {
    const cloud = new FakeAws(new Map());
    expect(await aws.needs?.(cloud.context(), objectsOf(["AWS::SQS::Queue"]))).toEqual({
      lacks: [],
      unread: [],
    });
    expect(cloud.requests).toEqual([]);
  });
});

describe("a subscription at Azure", () => {
  const azure = azureProvider();
  const types = [
    "Microsoft.App/containerApps",
    "Microsoft.App/managedEnvironments",
    "Microsoft.Authorization/roleAssignments",
    "Microsoft.Resources/resourceGroups",
  ];

  it("lacks registrations, all told at once, with the command", async () => {
    const cloud = new ArmCloud();
    cloud.unregistered.add("Microsoft.App");
    expect(await azure.needs?.(cloud.context(), objectsOf(types))).toEqual({
      lacks: [
        {
          what: "The subscription has not registered the resource provider Microsoft.App.",
          fix: `az provider register --namespace Microsoft.App --subscription ${SUBSCRIPTION} --wait`,
          types: types.slice(0, 2),
        },
      ],
      unread: [],
    });
  });

  it.each<[string, object[], string[]]>([
    [
      "all but the rights on rights",
      [{ actions: ["*"], notActions: ["Microsoft.Authorization/*/Write"] }],
      ["Microsoft.Authorization/roleAssignments"],
    ],
    [
      "those of two roles",
      [
        { actions: ["*"], notActions: ["Microsoft.Authorization/*"] },
        { actions: ["microsoft.authorization/roleassignments/*"] },
      ],
      [],
    ],
    ["one service", [{ actions: ["Microsoft.App/*/write"] }], types.slice(2)],
    [
      "groups by their own name",
      [{ actions: ["Microsoft.Resources/subscriptions/resourceGroups/write"] }],
      types.slice(0, 3),
    ],
    ["reading", [{ actions: ["*/read"] }], types],
    ["nothing", [], types],
  ])("whose identity has %s", async (_, rights, lacking) => {
    const cloud = new ArmCloud();
    cloud.rights = rights.map((one) => ({ ...one }));
    const needs = await azure.needs?.(cloud.context(), objectsOf(types));
    const written = needs?.lacks.find(({ what }) => what.includes("/write "));
    expect(written?.types ?? []).toEqual(lacking);
  });

  it("lacks quotas that the template's objects exceed", async () => {
    const cloud = new ArmCloud();
    cloud.usages.set("Microsoft.Network", [
      { name: "VirtualNetworks", currentValue: 49, limit: 50 },
      { name: "NetworkInterfaces", currentValue: 49, limit: 50 },
      { name: "RouteTables", currentValue: 9, limit: -1 },
      { name: "PrivateEndpoints", currentValue: 9, limit: 0 },
    ]);
    const wanted = new Map([
      ["Microsoft.Network/virtualNetworks", 1],
      ["microsoft.network/VirtualNetworks", 1],
      ["Microsoft.Network/networkInterfaces", 1],
      ["Microsoft.Network/routeTables", 1],
      ["Microsoft.Compute/virtualMachines", 0],
    ]);
    const scope = `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Network/locations/${REGION}`;
    expect(await azure.needs?.(cloud.context(), wanted)).toEqual({
      lacks: [
        {
          what: `The template takes at least 2 of the quota VirtualNetworks in ${REGION}, of which 49 of 50 are used.`,
          fix: `az quota update --resource-name VirtualNetworks --scope ${scope} --limit-object value=51`,
          types: ["Microsoft.Network/virtualNetworks", "microsoft.network/VirtualNetworks"],
        },
      ],
      unread: [],
    });
    expect(cloud.requests.filter((one) => one.includes("/usages"))).toHaveLength(1);
  });

  it("is not asked for the quotas of what is not registered", async () => {
    const cloud = new ArmCloud();
    cloud.unregistered.add("Microsoft.App");
    cloud.usages.set("Microsoft.App", [
      { name: "ManagedEnvironmentCount", currentValue: 0, limit: 0 },
    ]);
    const wanted = objectsOf(["Microsoft.App/managedEnvironments"]);
    expect((await azure.needs?.(cloud.context(), wanted))?.lacks).toHaveLength(1);
    cloud.unregistered.clear();
    expect((await azure.needs?.(cloud.context(), wanted))?.lacks).toMatchObject([
      { what: expect.stringContaining("ManagedEnvironmentCount") },
    ]);
  });

  it("says what it could not find out", async () => {
    const cloud = new ArmCloud();
    const denied = Response.json(
      { error: { code: "AuthorizationFailed", message: `No right to look. ${"x".repeat(5_000)}` } },
      { status: 403 },
    );
    const fetch = async (request: Request) =>
      request.url.includes("/providers/Microsoft.") ? denied.clone() : cloud.fetch(request);
    const needs = await azure.needs?.(cloud.context({ fetch }), objectsOf(types));
    expect(JSON.stringify(needs).length).toBeLessThan(7_500);
    expect(needs).toMatchObject({
      lacks: [],
      unread: [
        expect.stringContaining("Which resource providers are registered"),
        expect.stringContaining("The identity's rights"),
        expect.stringContaining("The quotas of Microsoft.App"),
      ],
    });
  });
});

describe("a project at Google Cloud", () => {
  const gcp = gcpProvider();
  const types = ["run/Service", "run/Job", "sql/Instance", "compute/Network"];

  it("lacks APIs and permissions, each with the types that need it", async () => {
    const cloud = new GoogleCloud();
    cloud.disabledApis.add("run.googleapis.com");
    cloud.missingPermissions.add("cloudsql.instances.create");
    const needs = await gcp.needs?.(cloud.context(), objectsOf(types));
    expect(needs).toMatchObject({
      lacks: [
        {
          fix: expect.stringContaining("gcloud services enable run.googleapis.com"),
          types: ["run/Service", "run/Job"],
        },
        { what: expect.stringContaining("cloudsql.instances.create"), types: ["sql/Instance"] },
      ],
      unread: [],
    });
    expect(cloud.requests.slice(-3).map((one) => one.split("?")[0])).toEqual([
      "GET serviceusage/v1/projects/shop-project/services:batchGet",
      "POST cloudresourcemanager/v3/projects/shop-project:testIamPermissions",
      "GET compute/compute/v1/projects/shop-project",
    ]);
  });

  it("lacks quotas of the project and of the region that the template's objects exceed", async () => {
    const cloud = new GoogleCloud();
    cloud.quotas.project = [
      { metric: "NETWORKS", limit: 5, usage: 5 },
      { metric: "CPUS_ALL_REGIONS", limit: 12, usage: 10 },
    ];
    cloud.quotas.region = [{ metric: "INSTANCES", limit: 1, usage: 0 }];
    const wanted = new Map([
      ["compute/Network", 1],
      ["compute/Instance", 2],
    ]);
    const needs = await gcp.needs?.(cloud.context(), wanted);
    expect(needs).toMatchObject({
      lacks: [
        {
          what: "The template takes at least 1 of the quota NETWORKS in the project shop-project, of which 5 of 5 are used.",
          fix: expect.stringContaining("limit of 6 of NETWORKS"),
          types: ["compute/Network"],
        },
        { what: expect.stringContaining("at least 2 of the quota INSTANCES") },
      ],
      unread: [],
    });
    cloud.disabledApis.add("compute.googleapis.com");
    expect((await gcp.needs?.(cloud.context(), wanted))?.lacks).toHaveLength(1);
  });

  it.for([
    [
      403,
      "rateLimitExceeded",
      {},
      "gcp takes no more calls from this account now. Try again in a minute.",
    ],
    [
      429,
      "rateLimitExceeded",
      { "retry-after": "7" },
      "gcp takes no more calls from this account now. Try again in 7 s.",
    ],
    [503, "backendError", {}, "gcp did not answer every question. Try again in a minute."],
  ] as const)("says when to ask again after %i %s", async ([status, reason, headers, said]) => {
    const cloud = new GoogleCloud();
    const error = { code: status, message: "Rate Limit Exceeded", errors: [{ reason }] };
    const fetch = async (request: Request) =>
      request.url.includes("serviceusage")
        ? Response.json({ error }, { status, headers })
        : cloud.fetch(request);
    const needs = await gcp.needs?.(cloud.context({ fetch }), objectsOf(types));
    expect(needs?.unread.at(0)).toMatch(/^Which APIs are enabled was not found out: gcp answered/);
    expect(needs?.unread.at(-1)).toBe(said);
  });

  it("lacks nothing, and is asked nothing for no types", async () => {
    const cloud = new GoogleCloud();
    expect(await gcp.needs?.(cloud.context(), objectsOf(types))).toEqual({ lacks: [], unread: [] });
    cloud.requests.length = 0;
    expect(await gcp.needs?.(cloud.context(), objectsOf([]))).toEqual({ lacks: [], unread: [] });
    expect(cloud.requests).toEqual([]);
  });
});
