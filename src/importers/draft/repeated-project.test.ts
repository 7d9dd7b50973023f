import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";

/** A typical module of the registry: a switch for each part, and a `count` that reads it. */
const vpc = `
variable "create" {
  type    = bool
  default = true
}
variable "name" { type = string }
variable "cidr" {
  type    = string
  default = "10.0.0.0/16"
}
variable "azs" {
  type    = list(string)
  default = []
}
variable "public_subnets" {
  type    = list(string)
  default = []
}
variable "private_subnets" {
  type = map(object({
    newbits = optional(number, 8)
    number  = number
    zone    = string
  }))
  default = {}
}
variable "enable_nat_gateway" {
  type    = bool
  default = false
}
variable "single_nat_gateway" {
  type    = bool
  default = false
}
variable "enable_flow_log" {
  type    = bool
  default = false
}
variable "tags" {
  type    = map(string)
  default = {}
}

locals {
  len_public        = length(var.public_subnets)
  create_public     = var.create && local.len_public > 0
  nat_gateway_count = var.single_nat_gateway ? 1 : local.len_public
}

resource "aws_vpc" "this" {
  count      = var.create ? 1 : 0
  cidr_block = var.cidr
  tags       = merge({ "Name" = var.name }, var.tags)
}

resource "aws_internet_gateway" "this" {
  count  = local.create_public ? 1 : 0
  vpc_id = aws_vpc.this[0].id
  tags   = merge({ "Name" = var.name }, var.tags)
}

resource "aws_subnet" "public" {
  count             = local.create_public ? local.len_public : 0
  vpc_id            = aws_vpc.this[0].id
  cidr_block        = element(concat(var.public_subnets, [""]), count.index)
  availability_zone = length(var.azs) > 0 ? element(var.azs, count.index) : null
  tags              = merge({ Name = format("%s-public-%s", var.name, element(var.azs, count.index)) }, var.tags)
}

resource "aws_subnet" "private" {
  for_each          = var.create ? var.private_subnets : {}
  vpc_id            = aws_vpc.this[0].id
  cidr_block        = cidrsubnet(var.cidr, each.value.newbits, each.value.number)
  availability_zone = each.value.zone
  tags              = { Name = "\${var.name}-\${each.key}" }
}

resource "aws_route_table" "public" {
  count  = local.create_public ? 1 : 0
  vpc_id = aws_vpc.this[0].id
}

resource "aws_route" "public_internet_gateway" {
  count                  = local.create_public ? 1 : 0
  route_table_id         = aws_route_table.public[0].id
  destination_cidr_block = "0.0.0.0/0"
  gateway_id             = aws_internet_gateway.this[0].id
}

resource "aws_route_table_association" "public" {
  count          = local.create_public ? local.len_public : 0
  subnet_id      = element(aws_subnet.public[*].id, count.index)
  route_table_id = aws_route_table.public[0].id
}

resource "aws_eip" "nat" {
  count  = var.create && var.enable_nat_gateway ? local.nat_gateway_count : 0
  domain = "vpc"
}

resource "aws_nat_gateway" "this" {
  count         = var.create && var.enable_nat_gateway ? local.nat_gateway_count : 0
  allocation_id = element(aws_eip.nat[*].id, var.single_nat_gateway ? 0 : count.index)
  subnet_id     = element(aws_subnet.public[*].id, var.single_nat_gateway ? 0 : count.index)
  depends_on    = [aws_internet_gateway.this]
}

resource "aws_cloudwatch_log_group" "flow" {
  count = var.create && var.enable_flow_log ? 1 : 0
  name  = "/vpc/\${var.name}"
}

output "vpc_id" { value = try(aws_vpc.this[0].id, null) }
output "public_subnets" { value = aws_subnet.public[*].id }
output "private_subnets" { value = values(aws_subnet.private)[*].id }
output "flow_log_group" { value = try(aws_cloudwatch_log_group.flow[0].arn, "none") }
`;

const main = `
variable "environment" {
  type    = string
  default = "staging"
}

locals {
  azs = ["eu-central-1a", "eu-central-1b"]
}

module "vpc" {
  source             = "./modules/vpc"
  name               = "shop-\${var.environment}"
  azs                = local.azs
  public_subnets     = ["10.0.0.0/24", "10.0.1.0/24"]
  enable_nat_gateway = true
  single_nat_gateway = true
  private_subnets = {
    app  = { number = 16, zone = local.azs[0] }
    data = { number = 2, newbits = 4, zone = local.azs[1] }
  }
}

module "off" {
  source = "./modules/vpc"
  create = false
  name   = "off"
}

resource "aws_security_group" "web" {
  for_each    = toset(["web", "worker"])
  description = "of \${each.key}"
  vpc_id      = module.vpc.vpc_id
}

output "vpc_id" { value = module.vpc.vpc_id }
output "subnets" { value = concat(module.vpc.public_subnets, module.vpc.private_subnets) }
output "flow_log_group" { value = module.vpc.flow_log_group }
`;

describe("a project whose own module has a switch for each part", () => {
  it("is drafted whole: with the parts that the calls switch on, and without the rest", async () => {
    const log = new ImportLog();
    const files = [
      { path: "main.tf", text: main },
      { path: "modules/vpc/main.tf", text: vpc },
    ];
    const { drafts } = await readImport(files, undefined, log, {
      adopt: false,
      assets: builtAssets,
    });
    const [draft] = drafts;
    expect(draft?.unsupported.filter(({ code }) => code !== "not_made")).toEqual([]);
    expect(draft).toMatchObject({ mapped: 14, partlyMapped: 0, notMapped: 0, unresolved: [] });
    const { resources, outputs, config } = parse(draft?.source ?? "");
    expect(Object.keys(config)).toEqual(["environment"]);
    expect(Object.keys(resources)).toEqual([
      "securityGroupWebWeb",
      "securityGroupWebWorker",
      "vpc",
      "vpcInternetGateway",
      // The attachment to the network is an object of its own.
      "vpcInternetGatewayVpcId",
      "vpcSubnetPublic1",
      "vpcSubnetPublic2",
      "vpcSubnetPrivateApp",
      "vpcSubnetPrivateData",
      "vpcRouteTablePublic",
      "vpcRoutePublicInternetGateway",
      "vpcRouteTableAssociationPublic1",
      "vpcRouteTableAssociationPublic2",
      "vpcEipNat",
      "vpcNatGateway",
    ]);
    expect(resources.vpcSubnetPublic2.properties).toMatchObject({
      CidrBlock: "10.0.1.0/24",
      AvailabilityZone: "eu-central-1b",
      Tags: [{ Key: "Name", Value: "shop-${environment}-public-eu-central-1b" }],
    });
    expect(resources.vpcSubnetPrivateApp.properties.CidrBlock).toBe("10.0.16.0/24");
    expect(resources.vpcSubnetPrivateData.properties.CidrBlock).toBe("10.0.32.0/20");
    expect(resources.vpcNatGateway.options).toEqual({
      dependsOn: ["${vpcInternetGateway}", "${vpcInternetGatewayVpcId}"],
    });
    expect(outputs.subnets).toHaveLength(4);
    expect(outputs.flow_log_group).toBe("none");
    const off = draft?.unsupported.filter(({ address }) => address.startsWith("module.off."));
    expect(off).toHaveLength(10);
  });
});
