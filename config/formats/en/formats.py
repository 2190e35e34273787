"""How the admin writes moments where we do not: with the name of the zone."""

DATETIME_FORMAT = "j F Y, H:i T"
SHORT_DATETIME_FORMAT = "j M Y, H:i T"
