/**
 * Requests as `oci-common` 2.142.1 (`DefaultRequestSigner`) signs them, with a key made for this alone. Its signer was
 * given each request with `x-date` set to the time of `SIGNED_MS`.
 */
export const SIGNED_MS = Date.UTC(2014, 0, 5, 21, 31, 40);
export const KEY_ID =
  "ocid1.tenancy.oc1..t/ocid1.user.oc1..u/20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34";

export const PKCS8 = `-----BEGIN PRIVATE KEY-----
MIIEugIBADANBgkqhkiG9w0BAQEFAASCBKQwggSgAgEAAoIBAQDHJrL5fYMQSdxo
cmCUKEGYIbgB9QSK3+M9jM84x7wcNtiU5fGSoF0llWJOQoZ8Z5KxsetsrR+VPIDO
uE20EqpRBfVZX0y1ozk/eVTdtAbu5+lmsDwbWOkIyF4Aac3aBvexq4Q+BqrT8Ft+
XVMca/RVO0YAgZzkCh+wHUMSttRf2zoqEXjyNzrBC2z+SaH+SECbmr26c8Q5a/By
g7G6RGKyEGtgRS4dGxa6vsujBphUcOfBYXTpWJyqQ/AL5ahA4bku/qC+eqXbfwbX
nZ9nBnf7BtZHR4YqM0DD4+AEIXyUtftrCBDKavRfzWV7CxW2iCxym4IZAdK+T7tM
Gs2zDHz3AgMBAAECgf8sSdFFgi7dabq5b218IaLVwm6eonxBIrmlwfIoZwTWI82C
fU+5HMrtvTlplHH7IFDRZta/tAaL+o5JpeOMVMAKSiHbibL9aSrJ9uzp+pnbkjYu
m/1TgLGgdu7Bkd5HG6lFZzxGPh/HdhxL3Cccy1EC2/G8HZ2vhMFZeqG3Wz+RajgS
2CnFbqVwFuxUwqOpSXM414vRFE0k1RvRxgEg4hLm96ppnrGAaR2dWf3pBLHKJMrJ
istLMaT4hn70RRIDuP6iB60+CnB+3okkQntRi18ffuevGnNTOdqBJd67JDaLaeYC
BbRYLLAIjNrgZowJd471UO4Qko7CiMnZ7RBAfeUCgYEA716skbb8E9H7S0o4J6Ma
Ul1URsPejpPMEtX0SlsA+C0IumFSGz2sYC7SLFm5oaFmhoSHEBU2XIXO+a+CF9KE
YkT3IyUxEfFPiPMSjxOr4GfKX222YWioxrbz2SoxdULXGo6eym4Nhq6EviNDwT7r
Ul2gunla0go2R5ID351yT10CgYEA1Py2vftICvPlThRw/KM4dVyy26kOLqfi79B+
ZhXn+3jAOJmOatC3vbLWXscjAWh8LdxIH8xCYj0cdR2dLSBF6mn6Q9XFaV1ax2wy
QcSfUQ2xA4UQXIEz9CCG33hnXp365Sp8+w/TyEB8KCI1UfqjVV13S2/n/BvLZUKs
pgxWPGMCgYAt3Rj5jnL8JTad9WmPBqxLbcBxEqR48w6d6Uq2WHt2EcLjWzRNLeLy
RuZUQxjTREaNraTnSvkwfx7qLluhzt84qPglTsH5KyBPICvFKEK9a4WWBUJ1pYT5
FiLg0DnLuvPWDc+U/8MttBCREdawlyqljHT4ZbomFnjR+8MsPFGjrQKBgBZJo63Z
v741q4cyKGing970JltKI4vKUbsarD9uh2oPRr4lg3u1/6RANKKSYB1jm6sI5Bs/
uqqhDntK8Amq2OYg1OmIUzIlbLx1nAS52JoYvq9Jm16yvocLaFG2Pcru6TRV7+It
09Gevd9NRRshCTqDn1oribEeD3i3M23k2JlVAoGAE/FQLWa0Zt6pY9wopaSU/uBL
xSJRj8SAHq8hoeZMvmRr2y1OdxTH4Al//oiQzzOn5cmS41cJloPuk0IQgBulkewm
lRiCN6lnEUlb4V4Beipwp7Ideq2aN+uDNbdBhRl/pfQCWbgcCY0Ezz0UCpCsYS7S
OWQ3ADAFZpavrbWfpEg=
-----END PRIVATE KEY-----
`;

export const PKCS1 = `-----BEGIN RSA PRIVATE KEY-----
MIIEoAIBAAKCAQEAxyay+X2DEEncaHJglChBmCG4AfUEit/jPYzPOMe8HDbYlOXx
kqBdJZViTkKGfGeSsbHrbK0flTyAzrhNtBKqUQX1WV9MtaM5P3lU3bQG7ufpZrA8
G1jpCMheAGnN2gb3sauEPgaq0/Bbfl1THGv0VTtGAIGc5AofsB1DErbUX9s6KhF4
8jc6wQts/kmh/khAm5q9unPEOWvwcoOxukRishBrYEUuHRsWur7LowaYVHDnwWF0
6VicqkPwC+WoQOG5Lv6gvnql238G152fZwZ3+wbWR0eGKjNAw+PgBCF8lLX7awgQ
ymr0X81lewsVtogscpuCGQHSvk+7TBrNswx89wIDAQABAoH/LEnRRYIu3Wm6uW9t
fCGi1cJunqJ8QSK5pcHyKGcE1iPNgn1PuRzK7b05aZRx+yBQ0WbWv7QGi/qOSaXj
jFTACkoh24my/Wkqyfbs6fqZ25I2Lpv9U4CxoHbuwZHeRxupRWc8Rj4fx3YcS9wn
HMtRAtvxvB2dr4TBWXqht1s/kWo4EtgpxW6lcBbsVMKjqUlzONeL0RRNJNUb0cYB
IOIS5veqaZ6xgGkdnVn96QSxyiTKyYrLSzGk+IZ+9EUSA7j+ogetPgpwft6JJEJ7
UYtfH37nrxpzUznagSXeuyQ2i2nmAgW0WCywCIza4GaMCXeO9VDuEJKOwojJ2e0Q
QH3lAoGBAO9erJG2/BPR+0tKOCejGlJdVEbD3o6TzBLV9EpbAPgtCLphUhs9rGAu
0ixZuaGhZoaEhxAVNlyFzvmvghfShGJE9yMlMRHxT4jzEo8Tq+Bnyl9ttmFoqMa2
89kqMXVC1xqOnspuDYauhL4jQ8E+61JdoLp5WtIKNkeSA9+dck9dAoGBANT8tr37
SArz5U4UcPyjOHVcstupDi6n4u/QfmYV5/t4wDiZjmrQt72y1l7HIwFofC3cSB/M
QmI9HHUdnS0gRepp+kPVxWldWsdsMkHEn1ENsQOFEFyBM/Qght94Z16d+uUqfPsP
08hAfCgiNVH6o1Vdd0tv5/wby2VCrKYMVjxjAoGALd0Y+Y5y/CU2nfVpjwasS23A
cRKkePMOnelKtlh7dhHC41s0TS3i8kbmVEMY00RGja2k50r5MH8e6i5boc7fOKj4
JU7B+SsgTyArxShCvWuFlgVCdaWE+RYi4NA5y7rz1g3PlP/DLbQQkRHWsJcqpYx0
+GW6JhZ40fvDLDxRo60CgYAWSaOt2b++NauHMihop4Pe9CZbSiOLylG7Gqw/bodq
D0a+JYN7tf+kQDSikmAdY5urCOQbP7qqoQ57SvAJqtjmINTpiFMyJWy8dZwEudia
GL6vSZtesr6HC2hRtj3K7uk0Ve/iLdPRnr3fTUUbIQk6g59aK4mxHg94tzNt5NiZ
VQKBgBPxUC1mtGbeqWPcKKWklP7gS8UiUY/EgB6vIaHmTL5ka9stTncUx+AJf/6I
kM8zp+XJkuNXCZaD7pNCEIAbpZHsJpUYgjepZxFJW+FeAXoqcKeyHXqtmjfrgzW3
QYUZf6X0Alm4HAmNBM89FAqQrGEu0jlkNwAwBWaWr621n6RI
-----END RSA PRIVATE KEY-----
`;

export const signed = [
  {
    method: "GET",
    url: "https://iaas.eu-frankfurt-1.oraclecloud.com/20160918/instances?availabilityDomain=Pjwf%3A%20PHX-AD-1&compartmentId=ocid1.compartment.oc1..c&displayName=TeamXInstances",
    authorization:
      'Signature version="1",keyId="ocid1.tenancy.oc1..t/ocid1.user.oc1..u/20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34",algorithm="rsa-sha256",headers="x-date (request-target) host",signature="ZSLbZyuh54tzETXa+mx6WbuIyxpu9fyFs9GzkQ1m4v/pgtnorje67Uw3QmbboTK2CfZzPHZwtp/JWI1BC9LyKcnIflyqeVXcWUxGspKllCHbO7MRawwmQkX0SBKXb18ODN/lq3kwZ0CmtFMviOWsr7SiRQ83/DT0YJBJJSqt6Gtt2lK5OCjil+VBtGuMgqy8dg//vq748T0aB5oB/Fd1gpy5lgtBjFD93KjiAt7geL0y5naDlOjSnJozgKBmKhju/WBbg5SpMfmEcnsmxiLcUKjEQv5AU+yhlWHJgPao+Uuc3kQ9pYBTT9gyiO7S/r0MaC1cuK/5EuTTy2vzvk6Shw=="',
  },
  {
    method: "POST",
    url: "https://iaas.eu-frankfurt-1.oraclecloud.com/20160918/vcns",
    body: '{"compartmentId":"ocid1.compartment.oc1..c","displayName":"Zürich","cidrBlocks":["10.0.0.0/16"]}',
    sha256: "ztd8wYrRR5xcrInABC6pK6tVp3dvAf86xQmANxaRy88=",
    authorization:
      'Signature version="1",keyId="ocid1.tenancy.oc1..t/ocid1.user.oc1..u/20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34",algorithm="rsa-sha256",headers="x-date (request-target) host Content-Type Content-Length x-content-sha256",signature="nbDJzLVqqUkBS4KXyI2EfELz2486wWhcgCH0lsLlF9+dTB90KeXLQBFK6AXH/OyqTBFq+AY3TlZrkYcCyXTtq72M7pvW3dvfKX+J7Q4SO5piOwnacxDA1QS/p8AhmD+iOSgYDj5Q1nxL5a0ryl1gp9USNTbHl1LNtiKaoCY/61LN60uS6gphcK0WZ1s7Ri+VT8DoGNlZFbwSbsw/boxdJAdfTxR9RjBrJI1C5rLauTQ6ev92H15WLq83mNlEOJqS2ypeMKunIoUDR3GIxbev+FAD1NMugBFl3p2IEnpmYHvbVBPlNPxF+U6GCacRAldsJD5zsbXiK855K0OCnytuNQ=="',
  },
  {
    method: "PUT",
    url: "https://iaas.eu-frankfurt-1.oraclecloud.com/20160918/vcns/ocid1.vcn.oc1..v",
    body: '{"freeformTags":{}}',
    sha256: "wuU7klq4ixrQUyZHwzSaDFFD9+ehukBWvpJWiArz2Ng=",
    authorization:
      'Signature version="1",keyId="ocid1.tenancy.oc1..t/ocid1.user.oc1..u/20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34",algorithm="rsa-sha256",headers="x-date (request-target) host Content-Type Content-Length x-content-sha256",signature="dZlTs/sXT8Jsss4s0IP+R4LxuJRtgYQmIMj4ZkmoqqHzVd9f2T8YGzJ9paKUUriDhpI/+KjZz4qr1NrZqpK7q5+PeMwUp0620faAAkQ7Uai58/B+hwIOXCVHTCaMgnfx1NbXds2u07eN9t7S5DMnVyH/ApD2uxyUF5t+r7A6fswQ84e3xWPc9XWIARqHYNa8ddFiUaHFoe7zCwi+KgNIJN4mhOrA7j77FdY/td8q+Y3os77B5ksleq9ySY+jr/vqSHoMTAYE3NkKEDL6wfYfLHnuMKJRQOfh2V5hGM12dtzHlGxXblTeaoqGnZp9EDX5tW3smQM/m4NNyEmsATRWpg=="',
  },
  {
    method: "POST",
    url: "https://iaas.eu-frankfurt-1.oraclecloud.com/20160918/instances/ocid1.instance.oc1..i?action=STOP",
    sha256: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    authorization:
      'Signature version="1",keyId="ocid1.tenancy.oc1..t/ocid1.user.oc1..u/20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34",algorithm="rsa-sha256",headers="x-date (request-target) host Content-Type Content-Length x-content-sha256",signature="q27Gz4yAISM8+t11aa0ybrx24S4CsvcQ3sBSK5duVN3o925ssqiu4Jb751q3GOXIEXrPmRz8fWGxVefxtOy5abSMFvFoxQIFKBc1UvEKCA471QwJB+aTXa2uSkrHl909hkkhYB3QwrG8VZXax3qc6eDm8x3L9nfzeQf5M/aFKK7IQMCnqwOHg6a4mKS+sQ/IQDQ18E3IXFSRH9oJ30eYCbAa1XAKaQW7tp6Z+dfO1/s7R3fWQtnyVmqn+FQm1N8cyjzOi3nqd7yAIZn7GIya0Bu6SaSiJd0YsECtrFuv0IRkM5cT5OxBbz2jlyEvafrvtaNcS1aFWEQZ+THL/HO8nQ=="',
  },
  {
    method: "DELETE",
    url: "https://objectstorage.eu-frankfurt-1.oraclecloud.com/n/ns/b/a%2Fb",
    authorization:
      'Signature version="1",keyId="ocid1.tenancy.oc1..t/ocid1.user.oc1..u/20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34",algorithm="rsa-sha256",headers="x-date (request-target) host",signature="se5q4jU3M7NH9W1+tOirmAU8pjelEL8A5fJHrUbUTGZ/RhKvVI2kt1Fhtw2r/TkI4wReb/F6nch2ZG1xN82WIvB9yCzNPN5AMoE/BgFMunM5elx8AwWqYbJAIR/ut/2A2nnKsVyPu2Ai4uN4RtHg33HDxRCPOdTAX0QEUCUsd/YNGMYh+RGk4N31Hf/n+b8HujuLw0jbVhxGDggq5DC0cUHmapD3CO0woF2OeLdMtORTjC/KKIhqunOUEvo2AtDgKMDzifmuMaXPfz9ADMZTD5b11aCO6OvXMhi2HTkEbu8uKj+yCQ9NjlhPWT7Pie25uQ4UmYoc9J5xfnwFGoDCcA=="',
  },
] as const;
