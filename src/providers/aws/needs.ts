/**
 * What an account lacks for a template: AWS's own roles, which it makes itself at the first use. That first call then
 * often fails, as the role is not visible yet, and without the right to make it every call fails.
 */
import type { AccountNeeds, Lack, ProviderContext } from "#providers/provider.ts";
import type { RequestSpec, RestProviderDefinition } from "#providers/rest/definition.ts";
import { keysIn } from "./access.ts";
import { partitionOf } from "./partition.ts";
import { signedFor } from "./session.ts";

/** The services whose roles these types need: the role's name, and the types. AWS's documentation of each service. */
const roles: Readonly<Record<string, readonly [role: string, ...types: string[]]>> = {
  "apprunner.amazonaws.com": ["AWSServiceRoleForAppRunner", "AWS::AppRunner::Service"],
  "autoscaling.amazonaws.com": [
    "AWSServiceRoleForAutoScaling",
    "AWS::AutoScaling::AutoScalingGroup",
    "AWS::EKS::Nodegroup",
  ],
  "ecs.amazonaws.com": ["AWSServiceRoleForECS", "AWS::ECS::Cluster", "AWS::ECS::Service"],
  "eks.amazonaws.com": ["AWSServiceRoleForAmazonEKS", "AWS::EKS::Cluster"],
  "eks-nodegroup.amazonaws.com": ["AWSServiceRoleForAmazonEKSNodegroup", "AWS::EKS::Nodegroup"],
  "elasticache.amazonaws.com": [
    "AWSServiceRoleForElastiCache",
    "AWS::ElastiCache::CacheCluster",
    "AWS::ElastiCache::ReplicationGroup",
    "AWS::ElastiCache::ServerlessCache",
  ],
  "elasticloadbalancing.amazonaws.com": [
    "AWSServiceRoleForElasticLoadBalancing",
    "AWS::ElasticLoadBalancingV2::LoadBalancer",
  ],
  "opensearchservice.amazonaws.com": [
    "AWSServiceRoleForAmazonOpenSearchService",
    "AWS::OpenSearchService::Domain",
  ],
  "rds.amazonaws.com": [
    "AWSServiceRoleForRDS",
    "AWS::DocDB::DBCluster",
    "AWS::Neptune::DBCluster",
    "AWS::RDS::DBCluster",
    "AWS::RDS::DBInstance",
  ],
};

export const awsNeeds: NonNullable<RestProviderDefinition["needs"]> = async (
  context,
  types,
  request,
): Promise<AccountNeeds> => {
  const lacks: Lack[] = [];
  for (const [service, [role, ...those]] of Object.entries(roles)) {
    const needing = those.filter((type) => types.has(type));
    if (needing.length === 0) continue;
    const found = await request(getRole(context, role));
    if (found.ok) continue;
    // The next answer would be the same.
    if (found.failed.code !== "NoSuchEntity")
      return {
        lacks,
        unread: [
          `Which roles of AWS's own the account has was not found out: ${found.failed.message}${found.failed.means === "denied" ? " This takes the permission iam:GetRole." : ""}`,
        ],
      };
    lacks.push({
      what: `The account has no role ${role}. Most services create their role at the first use, with the permission iam:CreateServiceLinkedRole. The first deployment can fail before the role is ready.`,
      fix: `aws iam create-service-linked-role --aws-service-name ${service}`,
      types: needing,
    });
  }
  return { lacks, unread: [] };
};

function getRole({ region }: ProviderContext, role: string): RequestSpec {
  const keys = ({ session, credential }: ProviderContext) => keysIn(session ?? credential);
  return {
    method: "POST",
    host: "iam",
    path: "/",
    form: { Action: "GetRole", Version: "2010-05-08", RoleName: role },
    authorize: signedFor("iam", keys, partitionOf(region).homeRegion),
  };
}
