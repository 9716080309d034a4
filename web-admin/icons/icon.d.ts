export { SvgIcon as default } from "@mui/material";
