import type { RestRows } from "#providers/rest/rest-types.ts";
import { HOURS } from "./hours.ts";
import { controlled, marked } from "./row-parts.ts";

export function networkRows() {
  return {
    "AWS::EC2::VPC": {
      ...controlled(),
      description: "A private network.",
      immutable: ["CidrBlock", "VpcEncryptionControl"],
      createOnly: ["Ipv4IpamPoolId", "Ipv4NetmaskLength"],
      writeOnly: [
        "Ipv4IpamPoolId",
        "Ipv4NetmaskLength",
        "VpcEncryptionControl.InternetGatewayExclusion",
        "VpcEncryptionControl.EgressOnlyInternetGatewayExclusion",
        "VpcEncryptionControl.NatGatewayExclusion",
        "VpcEncryptionControl.VirtualPrivateGatewayExclusion",
        "VpcEncryptionControl.VpcPeeringExclusion",
        "VpcEncryptionControl.LambdaExclusion",
        "VpcEncryptionControl.VpcLatticeExclusion",
        "VpcEncryptionControl.ElasticFileSystemExclusion",
      ],
      ...marked(),
    },
    "AWS::EC2::Subnet": {
      ...controlled(),
      description: "A range of addresses of a VPC in one zone.",
      immutable: [
        "VpcId",
        "AvailabilityZone",
        "AvailabilityZoneId",
        "CidrBlock",
        "OutpostArn",
        "Ipv6Native",
      ],
      createOnly: ["Ipv4IpamPoolId", "Ipv4NetmaskLength", "Ipv6IpamPoolId", "Ipv6NetmaskLength"],
      writeOnly: [
        "EnableLniAtDeviceIndex",
        "Ipv4IpamPoolId",
        "Ipv4NetmaskLength",
        "Ipv6IpamPoolId",
        "Ipv6NetmaskLength",
      ],
      ...marked(),
    },
    "AWS::EC2::InternetGateway": {
      ...controlled(),
      description: "The way of a VPC to the internet.",
      ...marked(),
    },
    "AWS::EC2::VPCGatewayAttachment": {
      ...controlled(),
      description: "A gateway attached to a VPC.",
      immutable: ["VpcId"],
      deleteFirst: true,
    },
    "AWS::EC2::NatGateway": {
      ...controlled(),
      description: "The way of private subnets to the internet.",
      immutable: [
        "VpcId",
        "SubnetId",
        "ConnectivityType",
        "AllocationId",
        "PrivateIpAddress",
        "AvailabilityMode",
      ],
      writeOnly: ["MaxDrainDurationSeconds"],
      ...marked(),
      timeouts: { create: 1 * HOURS, update: 1 * HOURS, delete: 1 * HOURS },
    },
    "AWS::EC2::EIP": {
      ...controlled(),
      description: "A fixed public IPv4 address.",
      immutable: ["NetworkBorderGroup"],
      createOnly: ["TransferAddress", "IpamPoolId", "Address"],
      writeOnly: ["TransferAddress", "IpamPoolId", "Address"],
      ...marked(),
    },
    "AWS::EC2::RouteTable": {
      ...controlled(),
      description: "A route table of a VPC.",
      immutable: ["VpcId"],
      ...marked(),
    },
    "AWS::EC2::Route": {
      ...controlled(),
      description: "A route of a route table.",
      immutable: [
        "RouteTableId",
        "DestinationCidrBlock",
        "DestinationIpv6CidrBlock",
        "DestinationPrefixListId",
      ],
      deleteFirst: true,
    },
    "AWS::EC2::SubnetRouteTableAssociation": {
      ...controlled(),
      description: "The route table of a subnet.",
      update: "none",
      immutable: ["SubnetId", "RouteTableId"],
      deleteFirst: true,
    },
    "AWS::EC2::SecurityGroup": {
      ...controlled(),
      description: "A firewall of network interfaces.",
      immutable: ["GroupDescription", "GroupName", "VpcId"],
      writeOnly: ["SecurityGroupIngress[*].SourceSecurityGroupName"],
      ...marked(),
    },
    "AWS::EC2::VPCEndpoint": {
      ...controlled(),
      description: "A private connection to a service.",
      immutable: [
        "ServiceName",
        "VpcEndpointType",
        "VpcId",
        "ServiceNetworkArn",
        "ResourceConfigurationArn",
        "ServiceRegion",
        "DnsOptions.PrivateDnsPreference",
        "DnsOptions.PrivateDnsSpecifiedDomains",
      ],
      ...marked(),
      timeouts: { create: 1 * HOURS, update: 1 * HOURS, delete: 1 * HOURS },
    },
  } as const satisfies RestRows;
}
