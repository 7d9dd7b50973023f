variable "name" {}
variable "region" {}
variable "domain" {}

variable "cidr" {
  default = "10.20.0.0/20"
}

resource "digitalocean_vpc" "this" {
  name     = "${var.name}-network"
  region   = var.region
  ip_range = var.cidr
}

resource "digitalocean_domain" "this" {
  name = var.domain
}

output "vpc_id" {
  value = digitalocean_vpc.this.id
}

output "zone" {
  value = digitalocean_domain.this.name
}
