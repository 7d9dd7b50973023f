variable "do_token" {
  type      = string
  sensitive = true
}

variable "project" {
  type    = string
  default = "shop"
}

variable "environment" {
  type    = string
  default = "staging"
}

variable "region" {
  type        = string
  description = "The region of everything."
  default     = "nyc3"
  validation {
    condition     = contains(["nyc3", "fra1"], var.region)
    error_message = "One of the regions that we use."
  }
}

variable "domain" {
  type    = string
  default = "shop.example"
}

variable "database_size" {
  type    = string
  default = "db-s-1vcpu-1gb"
}

variable "extra_servers" {
  type        = set(string)
  description = "One more server for each name."
  default     = []
}

variable "droplet_size" {
  type    = string
  default = "s-1vcpu-1gb"
}
