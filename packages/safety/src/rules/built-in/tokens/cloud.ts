import type { LeakRule } from "../../rule.js";
import { hex, mixed, type TokenForm, tokenRule } from "./form.js";

const FORMS: readonly TokenForm[] = [
  {
    id: "alibaba_access_key",
    title: "Alibaba Cloud access key id",
    anchors: ["LTAI"],
    form: "LTAI[A-Za-z0-9]{20}(?![A-Za-z0-9])",
    match: [`LTAI${mixed(20)}`],
  },
  {
    id: "aws_bedrock_key",
    title: "Amazon Bedrock API key",
    anchors: ["ABSK", "bedrock-api-key-"],
    form: "ABSK[A-Za-z0-9+/]{109,269}|bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t",
    match: [`ABSK${mixed(109)}`, "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t"],
  },
  {
    id: "aws_temporary_key",
    title: "AWS temporary access key id",
    anchors: ["ASIA", "ABIA", "ACCA", "A3T[A-Z0-9]"],
    form: "(?:ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}(?![A-Za-z0-9])",
    match: ["ASIAIOSFODNN7EXAMPLE", "A3TXIOSFODNN7EXAMPLE"],
  },
  {
    id: "cloudflare_origin_key",
    title: "Cloudflare origin CA key",
    anchors: ["v1\\.0-[0-9a-f]"],
    form: "v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}",
    match: [`v1.0-${hex(24)}-${hex(146)}`],
  },
  {
    id: "databricks_token",
    title: "Databricks token",
    anchors: ["dapi[0-9a-f]"],
    form: "dapi[0-9a-f]{32}(?![A-Za-z0-9])",
    match: [`dapi${hex(32)}`],
  },
  {
    id: "digitalocean_token",
    title: "DigitalOcean token",
    anchors: ["do[opr]_v1_"],
    form: "do[opr]_v1_[0-9a-f]{64}(?![A-Za-z0-9])",
    match: [`dop_v1_${hex(64)}`, `dor_v1_${hex(64)}`],
  },
  {
    id: "fly_token",
    title: "Fly.io token",
    anchors: ["fo1_", "fm1[ar]_", "fm2_"],
    form: "fo1_[A-Za-z0-9_-]{43}|(?:fm1[ar]|fm2)_[A-Za-z0-9+/]{100,}={0,3}",
    match: [`fo1_${mixed(43)}`, `fm2_${mixed(100)}`],
  },
  {
    id: "google_oauth_secret",
    title: "Google OAuth client secret",
    anchors: ["GOCSPX-"],
    form: "GOCSPX-[A-Za-z0-9_-]{28}",
    match: [`GOCSPX-${mixed(28)}`],
  },
  {
    id: "google_oauth_token",
    title: "Google OAuth access token",
    anchors: ["ya29\\."],
    form: "ya29\\.[A-Za-z0-9_-]{30,}",
    match: [`ya29.${mixed(30)}`],
  },
  {
    id: "heroku_api_key",
    title: "Heroku API key",
    anchors: ["HRKU-AA"],
    form: "HRKU-AA[A-Za-z0-9_-]{58}",
    match: [`HRKU-AA${mixed(58)}`],
  },
  {
    id: "openshift_token",
    title: "OpenShift user token",
    anchors: ["sha256~"],
    form: "sha256~[A-Za-z0-9_-]{43}",
    match: [`sha256~${mixed(43)}`],
  },
  {
    id: "planetscale_token",
    title: "PlanetScale token or password",
    anchors: ["pscale_"],
    form: "pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,64}",
    match: [`pscale_tkn_${mixed(32)}`, `pscale_pw_${mixed(32)}`],
  },
  {
    id: "pulumi_token",
    title: "Pulumi access token",
    anchors: ["pul-"],
    form: "pul-[0-9a-f]{40}(?![A-Za-z0-9])",
    match: [`pul-${hex(40)}`],
  },
  {
    id: "scalingo_token",
    title: "Scalingo API token",
    anchors: ["tk-us-"],
    form: "tk-us-[A-Za-z0-9_-]{48}",
    match: [`tk-us-${mixed(48)}`],
  },
  {
    id: "vault_token",
    title: "HashiCorp Vault token",
    anchors: ["hv[sb]\\."],
    form: "hvs\\.[A-Za-z0-9_-]{90,}|hvb\\.[A-Za-z0-9_-]{138,}",
    match: [`hvs.${mixed(90)}`, `hvb.${mixed(138)}`],
  },
  {
    id: "yandex_api_key",
    title: "Yandex Cloud API key",
    anchors: ["AQVN"],
    form: "AQVN[A-Za-z0-9_-]{35,38}",
    match: [`AQVN${mixed(35)}`],
  },
];

/** Tokens of clouds and platforms, each recognised by its prefix. */
export const CLOUD_TOKEN_RULES: readonly LeakRule[] = FORMS.map(tokenRule);
