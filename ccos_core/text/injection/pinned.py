"""Which file of weights this version was made with."""

DIGEST = "e23e217fe21fb3c57bea4740fe023eb727e7ff3e58348f3598966e273449dbbb"
