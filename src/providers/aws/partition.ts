/** The separate clouds of AWS, each with its own accounts, host names and names of resources. */
export interface Partition {
  name: string;
  /** What its host names end in. */
  suffix: string;
  /** A region that every account has. */
  homeRegion: string;
  /** The region that requests to Route 53 are signed for. */
  dnsRegion: string;
}

const standard: Partition = {
  name: "aws",
  suffix: "amazonaws.com",
  homeRegion: "us-east-1",
  dnsRegion: "us-east-1",
};

/** By the beginnings of their regions. */
const others: Readonly<Record<string, Partition>> = {
  "cn-": {
    name: "aws-cn",
    suffix: "amazonaws.com.cn",
    homeRegion: "cn-north-1",
    dnsRegion: "cn-northwest-1",
  },
  "us-gov-": {
    name: "aws-us-gov",
    suffix: "amazonaws.com",
    homeRegion: "us-gov-west-1",
    dnsRegion: "us-gov-west-1",
  },
};

export function partitionOf(region: string): Partition {
  const start = Object.keys(others).find((prefix) => region.startsWith(prefix)) ?? "";
  return others[start] ?? standard;
}

/** The host of a service that has one in each region. */
export function regionalHost(service: string, region: string): string {
  return `https://${service}.${region}.${partitionOf(region).suffix}`;
}

/** The host of IAM, of which a partition has one. */
export function iamHost(region: string): string {
  const { name, suffix, homeRegion } = partitionOf(region);
  if (name === "aws") return `https://iam.${suffix}`;
  return name === "aws-us-gov"
    ? `https://iam.us-gov.${suffix}`
    : `https://iam.${homeRegion}.${suffix}`;
}

/** The host of Route 53, of which a partition has one. */
export function dnsHost(region: string): string {
  const { name, suffix } = partitionOf(region);
  return name === "aws-us-gov"
    ? "https://route53.us-gov.amazonaws.com"
    : `https://route53.${suffix}`;
}
